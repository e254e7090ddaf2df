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

#include "plugin/repair/kept_tree.hpp"
#include "plugin/repair/live_routes.hpp"
#include "plugin/repair/reattach_subtree.hpp"
#include "plugin/repair/remains.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/repair/up_directions.hpp"

namespace selvedge {

class UpDownRepair {
 public:
  /// nullptr if the tables are not of this kind. Keeps a reference to `whole`.
  static std::unique_ptr<UpDownRepair> make(const Fabric& whole, const Tables& tables,
                                            const std::optional<ParentChannels>& tree);

  /// `left`: the damaged fabric, which must stay valid until the next call. `changed`: the channels
  /// lost or restored since the last call, both of each cable. `count`: count Repair::affected,
  /// which costs more than the repair.
  Repair fail(const Fabric& left, std::span<const Channel> changed, bool count);
  Repair restore(const Fabric& left, std::span<const Channel> changed);
  /// Whether the last call may have changed unbroken paths. (If not, Repair::moved is 0.)
  bool touched_unbroken() const { return touched_unbroken_; }

  const LiveRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }
  const UpDirections& directions() const { return directions_; }
  /// Whether all turns in use obey the directions. (After a strict repair some may not.)
  bool obeyed() const { return obeyed_; }

 private:
  UpDownRepair(const Fabric& whole, const Tables& tables,
               const std::optional<ParentChannels>& tree);

  /// A LID and its orphans: first … first + count − 1 of orphans_.
  struct Hit {
    Lid lid;
    std::uint32_t first, count;
  };

  bool find_obeyed() const;
  void rank_legal_turns();
  void settle();
  void find_forbidden();
  /// For a broken path: includes all senders, or only those above.
  enum class Orphans { kAll, kFromAbove };
  void grow(Lid lid, std::size_t first, Orphans which);
  void copy_orphans(const Hit& hit);
  std::uint64_t broken_paths();
  /// The orphans of all breaks_.
  std::vector<Hit> gather(Orphans which);
  enum class Missing { kStop, kGoOn };  // stop at the first LID that some switch misses
  bool sent_from_above(const Hit& hit) const;
  std::uint64_t reattach(const std::vector<Hit>& hits, Orphans which, Missing then);
  bool reattach_round(const Hit& hit);
  std::size_t hang_widely(const Hit& hit, Orphans which);
  void drop_worthless();
  void cut_worthless();
  std::uint64_t extend();
  void take_out(const std::vector<Hit>& hits);
  /// `went`: the channels lost; nullopt if some were restored.
  void solve(const std::vector<Hit>& hits, Orphans which,
             std::optional<std::span<const Channel>> went, Repair& repair);
  bool whole() const;
  bool return_all();
  bool can_return(Lid lid) const;
  bool better_at_base(Lid lid) const;
  Channel base_out(SwitchId s, Lid lid) const;
  void return_to_base(Lid lid);
  Repair finish(Repair repair);
  void open_turn(SwitchId at, PortNum in, PortNum out, Repair& repair);
  void open_turns(Repair& repair);

  LiveRoutes routes_;
  KeptTree tree_;
  UpDirections first_directions_, directions_;
  Remains remains_;
  ReattachSubtree reattach_;
  const bool drops_;   // some unused turns are mapped to VL 15
  const Tables rows_;  // SL2VL tables for the tree's packets
  bool obeyed_ = true;
  bool turned_ = false;       // the directions of some cables, in this repair
  bool leads_stale_ = false;  // reattach_ has not yet the present directions_
  bool touched_unbroken_ = false;
  std::vector<Break> breaks_;
  std::vector<SwitchId> orphans_, blocking_;
  std::vector<std::uint32_t> stamp_;  // per switch
  std::uint32_t stamp_now_ = 0;
  std::vector<std::uint32_t> ranks_;  // per channel
  std::vector<SwitchId> at_;
  std::vector<PortNum> ports_;
};

}  // namespace selvedge
