// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair of tables on one SL and one VL whose turns obey up and down directions
// (up_directions.hpp): engines updn, dmodk and others.
//
//   1  broken paths are reattached (reattach_subtree.hpp) under the present directions
//   2  if pairs stay without a path, a few cables are turned (their directions reversed) and step 1
//      is repeated. This is "strict": only LIDs with broken paths change
//   3  unbroken routes that violate the new directions stay as long as the dependencies have no
//      cycle. If they have one, steps 2 and 3 are repeated with other cables
//   4  if all tries fail, unbroken routes that violate the directions are reattached too. This is
//      "extended", and all turns obey the directions afterwards
//
// Step 4 always connects every physically connected pair. Each connected component then has one
// root: every switch has a path up to the root, and the root has a path down to every switch.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "plugin/repair/damaged_fabric.hpp"
#include "plugin/repair/live_routes.hpp"
#include "plugin/repair/multicast_tree_repair.hpp"
#include "plugin/repair/reattach_subtree.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/repair/up_directions.hpp"

namespace selvedge {

class UpDownRepair {
 public:
  /// nullptr if the tables use several SLs or VLs, or if each choice of up and down directions
  /// makes some path go down, then up. Keeps a reference to `whole`, the undamaged fabric.
  static std::unique_ptr<UpDownRepair> make(const Fabric& whole, const Tables& tables,
                                            const std::optional<ParentChannels>& tree);

  /// `damaged`: the damaged fabric, which must stay valid until the next call. `changed`: the
  /// channels lost or restored since the last call, both of each cable. `count`: whether to count
  /// Repair::affected, which costs more than the repair.
  Repair fail(const Fabric& damaged, std::span<const Channel> changed, bool count);
  Repair restore(const Fabric& damaged, std::span<const Channel> changed);
  /// Whether the last call may have changed unbroken paths. (If not, Repair::moved is 0.)
  bool moved_unbroken() const { return moved_unbroken_; }

  const LiveRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }
  const UpDirections& directions() const { return directions_; }
  /// Whether no path goes down, then up. (After a repair that has reversed cables' directions,
  /// unbroken paths may.)
  bool directions_hold() const { return directions_hold_; }

 private:
  UpDownRepair(const Fabric& whole, const Tables& tables,
               const std::optional<ParentChannels>& tree);

  /// A LID whose paths a fault broke, and the switches that need a new next hop (orphans):
  /// orphans_[first] … orphans_[first + count − 1].
  struct BrokenLid {
    Lid lid;
    std::uint32_t first, count;
  };

  bool check_directions() const;
  void rank_legal_turns();
  void recheck_directions();
  void find_forbidden_turns();
  /// Which switches get a new next hop together with a switch whose entry broke: all whose paths
  /// lead through it, or only those that reach it by down links.
  enum class Orphans { kAll, kFromAbove };
  void add_senders(Lid lid, std::size_t first, Orphans which);
  void copy_orphans(const BrokenLid& broken);
  std::uint64_t broken_paths();
  /// The switches that need new next hops because of broken_entries_, by LID.
  std::vector<BrokenLid> collect_orphans(Orphans which);
  /// Whether reattach() stops at the first LID to which some switch with hosts has no path.
  enum class Missing { kStop, kContinue };
  bool sent_from_above(const BrokenLid& broken) const;
  std::uint64_t reattach(const std::vector<BrokenLid>& broken_lids, Orphans which, Missing then);
  bool reattach_with_blocking(const BrokenLid& broken);
  std::size_t reattach_widely(const BrokenLid& broken, Orphans which);
  void drop_unreachable_lids();
  void cut_unreachable_lids();
  std::uint64_t reattach_unbroken();
  void clear_entries(const std::vector<BrokenLid>& broken_lids);
  /// Gives switches with broken paths new next hops: under the present directions; if that fails,
  /// with a few directions reversed; if that fails too, also for unbroken paths (steps 1 to 4 in
  /// the file's head). `lost`: the channels lost; nullopt if some were restored.
  void solve(const std::vector<BrokenLid>& broken_lids, Orphans which,
             std::optional<std::span<const Channel>> lost, Repair& repair);
  bool all_cables_work() const;
  bool return_all_to_original();
  bool can_return(Lid lid) const;
  bool original_is_better(Lid lid) const;
  Channel original_out(SwitchId s, Lid lid) const;
  void return_to_original(Lid lid);
  Repair finish(Repair repair);
  void permit_turn(SwitchId at, PortNum in, PortNum out, Repair& repair);
  void permit_turns(Repair& repair);

  LiveRoutes routes_;
  MulticastTreeRepair tree_;
  UpDirections first_directions_, directions_;
  DamagedFabric damaged_;
  ReattachSubtree reattach_;
  const bool drops_;   // whether the tables map some unused turns to VL 15
  const Tables rows_;  // SL2VL tables (all SLs to VL 0) from which the tree's turns are derived
  bool directions_hold_ = true;
  bool flipped_ = false;           // whether this repair has turned cables
  bool directions_stale_ = false;  // whether reattach_ still has older directions than directions_
  bool moved_unbroken_ = false;
  std::vector<BrokenEntry> broken_entries_;
  std::vector<SwitchId> orphans_, blocking_;
  std::vector<std::uint32_t> stamp_;  // per switch: equals stamp_now_ if already in orphans_
  std::uint32_t stamp_now_ = 0;
  std::vector<std::uint32_t> ranks_;  // per channel: rank_legal_turns()
  std::vector<SwitchId> at_;
  std::vector<PortNum> ports_;
};

}  // namespace selvedge
