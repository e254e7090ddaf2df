// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fat tree as the engines use it: the levels of plugin/fabric/levels.hpp, with the direction of
// every arc, the leaves below each switch, and an order of the leaves.
//
// Leaves are the switches with hosts at level 0 or below. Switches with hosts above level 0 are not
// leaves. Paths to their hosts go up; from the other side of the tree they go up, down and up again
// (tree/order.hpp).
//
// The subtree of a switch: the switches that are connected with it through its own level and the
// levels below. In a complete tree each switch reaches all leaves of its subtree by going down;
// exact() says whether it does.
//
// The leaves are ordered subtree by subtree, so that the leaves of each subtree are contiguous. The
// subtrees of a level are in the order of their lowest host ids. If hosts are numbered along the
// tree, the leaves are in the order of their hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/fabric/levels.hpp"

namespace selvedge {

struct TreeLevels {
  static constexpr std::int32_t kNone = Levels::kNone;
  static constexpr std::uint32_t kNoPlace = UINT32_MAX;

  Components pieces;
  std::vector<std::int32_t> level;  // per switch; kNone as in Levels
  std::vector<SwitchId> order;      // switches with a level, uppermost first, then by id
  SwitchGraph graph;                // arcs that go up first, then by port; kNone is lowest
  std::vector<Arc> reverse;         // per arc: the arc in the opposite direction

  std::vector<SwitchId> leaves;           // sorted as explained above
  std::vector<std::uint32_t> place;       // per switch: index in `leaves`, or kNoPlace
  std::vector<std::uint32_t> span_first;  // per switch: the leaves of its subtree are
  std::vector<std::uint32_t> span_count;  // leaves[span_first … span_first + span_count − 1]
  std::vector<std::uint32_t> reached;     // per switch: number of leaves reached by going down

  bool reaches(SwitchId s, SwitchId leaf) const {
    const std::uint32_t bit = place[leaf];
    return (reach_[s * words_ + bit / 64] >> (bit % 64) & 1u) != 0;
  }
  bool exact(SwitchId s) const { return reached[s] == span_count[s]; }
  bool is_top(SwitchId s) const { return graph.first[s] == graph.first_down[s]; }

 private:
  friend class TreeFinder;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> reach_;  // [switch][word]: a bit for each leaf reached by going down
};

TreeLevels make_tree_levels(const Fabric& fabric, const Levels& levels);
/// Returns nullopt if a cable connects two switches of the same level, so that the fabric is no fat
/// tree. `clash` then names that cable.
std::optional<TreeLevels> find_tree_levels(const Fabric& fabric, const LevelHints& hints,
                                           LevelClash& clash);

}  // namespace selvedge
