// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair of tables on one SL and one VL whose turns obey up and down directions
// (up_directions.hpp): engines updn, dmodk and others.
//
//   1  the LIDs whose trees the fault broke are reattached under the present directions
//   2  if pairs stay without a path, a few cables are turned (their directions reversed) and 1 is
//      repeated: "strict", because only LIDs that the fault broke change
//   3  routes of other LIDs that violate the new directions stay as long as no cycle closes; if
//      one does, other cables are tried; then
//   4  "extended": these routes are reattached too. All turns obey the directions then.
//
// Step 4 always connects every physically connected pair: with one root in each piece, every switch
// has a path up to it, and the root has a path down to every switch.
//
// Of this room only.
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
  /// nullptr if the tables are not of this kind. Keeps a reference to `whole`.
  static std::unique_ptr<UpDownRepair> make(const Fabric& whole, const Tables& tables,
                                            const std::optional<ParentChannels>& tree);

  /// `damaged`: the damaged fabric, which must stay valid until the next call. `changed`: the
  /// channels lost or restored since the last call, both of each cable. `count`: count
  /// Repair::affected, which costs more than the repair.
  Repair fail(const Fabric& damaged, std::span<const Channel> changed, bool count);
  Repair restore(const Fabric& damaged, std::span<const Channel> changed);
  /// Whether the last call may have changed unbroken paths. (If not, Repair::moved is 0.)
  bool moved_unbroken() const { return moved_unbroken_; }

  const LiveRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }
  const UpDirections& directions() const { return directions_; }
  /// Whether all turns in use obey the directions. (After a strict repair some may not.)
  bool directions_hold() const { return directions_hold_; }

 private:
  UpDownRepair(const Fabric& whole, const Tables& tables,
               const std::optional<ParentChannels>& tree);

  /// A LID and its orphans: first … first + count − 1 of orphans_.
  struct BrokenLid {
    Lid lid;
    std::uint32_t first, count;
  };

  bool check_directions() const;
  void rank_legal_turns();
  void recheck_directions();
  void find_forbidden_turns();
  /// For a broken path: includes all senders, or only those above.
  enum class Orphans { kAll, kFromAbove };
  void add_senders(Lid lid, std::size_t first, Orphans which);
  void copy_orphans(const BrokenLid& broken);
  std::uint64_t broken_paths();
  /// The orphans of all broken_entries_.
  std::vector<BrokenLid> collect_orphans(Orphans which);
  enum class Missing { kStop, kContinue };  // stop at the first LID that some switch misses
  bool sent_from_above(const BrokenLid& broken) const;
  std::uint64_t reattach(const std::vector<BrokenLid>& broken_lids, Orphans which, Missing then);
  bool reattach_with_blocking(const BrokenLid& broken);
  std::size_t reattach_widely(const BrokenLid& broken, Orphans which);
  void drop_unreachable_lids();
  void cut_unreachable_lids();
  std::uint64_t reattach_unbroken();
  void clear_entries(const std::vector<BrokenLid>& broken_lids);
  /// `lost`: the channels lost; nullopt if some were restored.
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
  const bool drops_;   // some unused turns are mapped to VL 15
  const Tables rows_;  // SL2VL tables for the tree's packets
  bool directions_hold_ = true;
  bool flipped_ = false;           // the directions of some cables, in this repair
  bool directions_stale_ = false;  // reattach_ has not yet the present directions_
  bool moved_unbroken_ = false;
  std::vector<BrokenEntry> broken_entries_;
  std::vector<SwitchId> orphans_, blocking_;
  std::vector<std::uint32_t> stamp_;  // per switch
  std::uint32_t stamp_now_ = 0;
  std::vector<std::uint32_t> ranks_;  // per channel
  std::vector<SwitchId> at_;
  std::vector<PortNum> ports_;
};

}  // namespace selvedge
