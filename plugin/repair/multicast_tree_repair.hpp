// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multicast tree of tables under repair. The tree's dependencies are part of the graph that
// holds the dependencies of the unicast routes. If the tree loses a cable, or up/down directions
// change, as few of its cables as possible are replaced.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

class MulticastTreeRepair {
 public:
  /// Adds the tree's dependencies to `order`. Keeps references to `order` and `whole` (the
  /// undamaged fabric). If the SL2VL tables drop packets of the tree, parents() is nullopt.
  MulticastTreeRepair(DependencyOrder& order, const Fabric& whole, const Tables& tables,
                      std::optional<ParentChannels> tree);

  const std::optional<ParentChannels>& parents() const { return tree_; }
  const std::vector<DependencyOrder::Edge>& edges() const { return edges_; }

  /// Repairs the tree for the damaged fabric. `up`: the direction of each channel. No packet of the
  /// tree may go down, then up: if the tree violates that, each switch gets a parent above it. If
  /// such a tree does not join all physically connected hosts, the tree's parts are joined by
  /// cables that close no cycle of dependencies. If that fails, another such tree is made. If there
  /// is none, the tree is given up. Returns whether the tree changed.
  bool repair(const Fabric& damaged, const Tables& tables, const std::vector<bool>& up);
  /// As repair() without directions. Switches forward along the old tree until a sweep has written
  /// the new one. So the dependencies of the old tree stay in the order, until release_old() or the
  /// next call: those over cables that work, if some new tree closes no cycle with them.
  bool repair_beside_old(const Fabric& damaged, const Tables& tables);
  bool keeps_old() const { return !old_.empty(); }
  void release_old();
  /// A faster repair() for the case that only the channels `lost` were lost and the directions are
  /// unchanged. Replaces each lost cable to a parent by a cable to another switch above. Returns
  /// false, with nothing changed, if some switch finds none, or if the last tree is not known to
  /// satisfy confirm().
  bool repair_locally(const Fabric& damaged, const Tables& tables, const std::vector<bool>& up,
                      std::span<const Channel> lost);
  /// Checks the condition of repair_locally(): the tree joins all physically connected hosts, each
  /// switch's parent is above it, and every SL2VL row maps SL 0 to VL 0.
  void confirm(const Fabric& damaged, const std::vector<bool>& up);
  void mark() { unchanged_ = true; }
  /// Restores the tree of the last mark(), or of the constructor.
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
  std::optional<ParentChannels> search_beside(std::span<const DependencyOrder::Edge> kept,
                                              const Fabric& damaged, const Tables& tables);
  void replace_by(std::optional<ParentChannels> tree, const Fabric& damaged, const Tables& tables);

  DependencyOrder& order_;
  const Fabric& whole_;
  std::optional<ParentChannels> tree_, before_;
  std::vector<DependencyOrder::Edge> edges_, edges_before_;
  std::vector<DependencyOrder::Edge> old_;  // in the order beside edges_: of the tree of before
  bool had_tree_;
  bool one_vl_;                 // every SL2VL row maps SL 0, the SL of multicast, to VL 0
  bool unchanged_ = false;      // the tree has not changed since mark(), so before_ is not used
  bool parents_above_ = false;  // known: the tree joins all connected hosts, each parent is above
};

}  // namespace selvedge
