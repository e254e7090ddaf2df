// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multicast tree that goes with tables under repair: its dependencies are among those of the
// routes, and when it loses a cable, or directions are turned round under it, it changes as little
// as it can.
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

class KeptTree {
 public:
  /// Puts the tree's dependencies into `order`, which must stay, as must `whole`. A tree whose
  /// packets the SL2VL tables drop is given up.
  KeptTree(DependencyOrder& order, const Fabric& whole, const Tables& tables,
           std::optional<ParentChannels> tree);

  const std::optional<ParentChannels>& parents() const { return tree_; }
  const std::vector<DependencyOrder::Edge>& edges() const { return edges_; }

  /// Mends the tree for what is left. With directions `up` (per channel), parents come to be above,
  /// so that no turn goes down, then up. Where that does not join all hosts which cables join, and
  /// without directions, by cables that close no cycle; where there are none, multicast is given
  /// up. True if something changed.
  bool mend(const Fabric& left, const Tables& tables, const std::vector<bool>* up);
  /// The same where these channels went and the directions are those of the last time: parents that
  /// are gone, one by one. False if that doesn't do; nothing has changed then.
  bool mend_near(const Fabric& left, const Tables& tables, const std::vector<bool>& up,
                 std::span<const Channel> went);
  /// Looks whether the tree is one for mend_near().
  void confirm(const Fabric& left, const std::vector<bool>& up);
  void mark() { kept_ = true; }
  /// Back to what it was at the last mark(), or at the beginning.
  void rewind();
  void give_up() { replace(std::nullopt, {}); }

 private:
  void save();
  void replace(std::optional<ParentChannels> tree, std::vector<DependencyOrder::Edge> edges);
  bool intact(const Fabric& left, const std::vector<bool>* up) const;
  std::optional<ParentChannels> under_directions(const Fabric& left,
                                                 const std::vector<bool>& up) const;
  void turn_to(const Fabric& left, const Tables& tables, ParentChannels tree,
               std::span<const SwitchId> changed);
  std::optional<ParentChannels> by_search(const Fabric& left, const Tables& tables);

  DependencyOrder& order_;
  const Fabric& whole_;
  std::optional<ParentChannels> tree_, before_;
  std::vector<DependencyOrder::Edge> edges_, edges_before_;
  bool wanted_;
  bool one_vl_;             // nothing is dropped, and all is on VL 0
  bool kept_ = false;       // nothing has changed since mark(), and *before_ is of an earlier time
  bool all_above_ = false;  // it joins all that cables join, and all parents are above
};

}  // namespace selvedge
