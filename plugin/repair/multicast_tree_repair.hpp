// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multicast tree of tables under repair. Its dependencies are part of the routes' graph. If it
// loses a cable, or up/down directions change, it changes as little as possible.
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

class MulticastTreeRepair {
 public:
  /// Adds the tree's dependencies to `order`. Keeps references to `order` and `whole`. Gives up a
  /// tree if the SL2VL tables drop its packets.
  MulticastTreeRepair(DependencyOrder& order, const Fabric& whole, const Tables& tables,
                      std::optional<ParentChannels> tree);

  const std::optional<ParentChannels>& parents() const { return tree_; }
  const std::vector<DependencyOrder::Edge>& edges() const { return edges_; }

  /// Repairs the tree for the damaged fabric. With directions `up` (per channel) each parent is
  /// above its child, so that no turn goes down, then up. If that does not join all physically
  /// connected hosts, or without directions, it joins parts by cables that close no cycle of
  /// dependencies. If there are none, multicast is given up. Returns whether something changed.
  bool repair(const Fabric& damaged, const Tables& tables, const std::vector<bool>* up);
  /// The same if only the channels `lost` were lost and the directions are unchanged: replaces lost
  /// parents one by one. Returns false, with nothing changed, if that is not enough.
  bool repair_locally(const Fabric& damaged, const Tables& tables, const std::vector<bool>& up,
                      std::span<const Channel> lost);
  /// Checks whether repair_locally() can be used for the tree.
  void confirm(const Fabric& damaged, const std::vector<bool>& up);
  void mark() { unchanged_ = true; }
  /// Restores the tree of the last mark(), or of the beginning.
  void rewind();
  void give_up() { replace(std::nullopt, {}); }

 private:
  void save_before_change();
  void replace(std::optional<ParentChannels> tree, std::vector<DependencyOrder::Edge> edges);
  bool intact(const Fabric& damaged, const std::vector<bool>* up) const;
  std::optional<ParentChannels> tree_under_directions(const Fabric& damaged,
                                                      const std::vector<bool>& up) const;
  void change_to(const Fabric& damaged, const Tables& tables, ParentChannels tree,
                 std::span<const SwitchId> changed);
  std::optional<ParentChannels> search_tree(const Fabric& damaged, const Tables& tables);

  DependencyOrder& order_;
  const Fabric& whole_;
  std::optional<ParentChannels> tree_, before_;
  std::vector<DependencyOrder::Edge> edges_, edges_before_;
  bool had_tree_;
  bool one_vl_;                 // no row drops SL 0, and all rows map it to VL 0
  bool unchanged_ = false;      // unchanged since mark(); before_ is not valid
  bool parents_above_ = false;  // it joins all connected hosts, and all parents are above
};

}  // namespace selvedge
