// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fat tree as dmodk sees it, read from the cables and from where the hosts are, never from names
// or numbers. Every way of telling a fat tree (k-ary n-tree, folded Clos, XGFT) says the same: the
// switches stand in levels, hosts at the lowest, cables only between levels.
//
// Level. The distance to the nearest switch with hosts. That is right for whatever hosts can pass
// through, and wrong for a switch that none of them needs: a leaf switch without hosts hangs from
// the switches above it and would count as one level above those, so that no packet from another
// part of the tree could come down to it. So a switch is *lowered* below all its neighbours if
// neither it nor anything above it reaches a host that one of its children does not reach already.
// No pair of hosts loses its path by that, and the LIDs of idle leaf switches, of empty parts and
// of dead ends stay in reach. Cables join levels of different parity, so never two of one level;
// in what is left of a damaged tree just the same.
//
// Subtree. What hangs together using only a switch's own level and those below. In a complete tree
// each switch reaches all the leaves of its subtree going down; `exact` says whether that is so.
//
// Order of the leaves. Subtree by subtree, so that the leaves of each one stand side by side;
// equals by the lowest id of a host. Where hosts were numbered along the tree this is their order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "plugin/engines/switch_graph.hpp"

namespace selvedge {

struct TreeLevels {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  static constexpr std::uint32_t kNoPlace = UINT32_MAX;

  Components pieces;
  std::vector<std::int32_t> level;  // per switch: 0 with hosts, below 0 some lowered ones, kNone in
                                    // a piece without hosts
  std::vector<SwitchId> order;      // the switches that have a level, uppermost first, then by id
  SwitchGraph graph;                // arcs that go up first, by port; kNone leads nowhere
  std::vector<Arc> reverse;         // per arc: the other channel of the cable

  std::vector<SwitchId> leaves;           // the switches with hosts, in the order told above
  std::vector<std::uint32_t> place;       // per switch: where in `leaves`, or kNoPlace
  std::vector<std::uint32_t> span_first;  // per switch: the leaves of its subtree are
  std::vector<std::uint32_t> span_count;  // leaves[span_first … span_first + span_count − 1]
  std::vector<std::uint32_t> reached;     // per switch: how many leaves it reaches going down

  bool reaches(SwitchId s, SwitchId leaf) const {
    const std::uint32_t bit = bit_[leaf];
    return (reach_[s * words_ + bit / 64] >> (bit % 64) & 1u) != 0;
  }
  bool exact(SwitchId s) const { return reached[s] == span_count[s]; }
  bool is_top(SwitchId s) const { return graph.first[s] == graph.first_down[s]; }

 private:
  friend class LevelFinder;
  std::size_t words_ = 0;
  std::vector<std::uint32_t> bit_;    // per switch with hosts
  std::vector<std::uint64_t> reach_;  // [switch][word]: a bit for each leaf below
};

/// A cable that no fat tree has: it joins two switches of one level.
struct LevelClash {
  Channel cable;
  std::uint32_t level;
};

/// Nothing, and `clash` filled in, if the fabric has no levels. O(E·L/64), L switches with hosts.
std::optional<TreeLevels> find_tree_levels(const Fabric& fabric, LevelClash& clash);

}  // namespace selvedge
