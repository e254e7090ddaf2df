// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The digits of a fat tree, read from its cables. Seen from above, a fat tree is a tree of columns.
// Switches of one level that are connected through their own level and those above form one column.
// Without that level, the part above it splits into smaller columns. The whole tree is the first
// column; each top switch is a last one. A path that goes up from level l chooses the next smaller
// column, and every switch of the column has the same choice. That choice is the digit.
//
//   2-ary 3-tree      level 2    0   1   2   3      columns {0} {1} {2} {3}
//                     level 1    0   1   2   3      {0, 2 and the tops 0, 2}  {1, 3 and 1, 3}
//                     level 0    0   1   2   3      one column, of everything
//
// (In the digits of an XGFT, the switches of a column have the digits x_1…x_l in common.)
//
// A column of level l has `radix` smaller ones to choose from, labelled 0 … radix − 1 by their
// lowest switch id. digit(number) = number / unit % radix, where `unit` is the product of the
// radices on the way to the column. So destination number j takes its digits from the least
// significant up: floor(j / Π w) mod w of XGFT, j's component of the level in a k-ary n-tree (Gómez
// 2007 §4).
//
// After damage. Losing cables can only split columns. Two parts are the remains of one column if no
// switch is cabled to both, and get one label: first fit, by ascending lowest id. A column that
// lost a switch above it has fewer labels than others of its level, but still counts as many as
// they have. So no other column's digits change, and a label without cables is treated like one
// whose cables are lost. A label says where a packet should go, not that a path exists; that is
// checked for each destination.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/tree/levels.hpp"

namespace selvedge {

using Column = std::uint32_t;

struct TreeColumns {
  static constexpr std::uint32_t kNoColumn = UINT32_MAX;
  static constexpr std::uint32_t kMixed = 0;  // see `cables`

  // Per column. A larger one has a higher number than the smaller ones in it.
  std::vector<std::uint32_t> radix;  // 0: nothing above
  std::vector<std::uint64_t> unit;   // 2^40 stands for all greater values
  std::vector<Column> parent;        // kNoColumn: the column is a whole component
  std::vector<std::uint32_t> label;  // within the larger one

  std::vector<Column> of;             // per switch: the column whose lowest level it is in
  std::vector<std::uint32_t> member;  // per switch: its number within the column, by id

  std::vector<std::uint32_t> label_of;  // per arc that goes up
  /// The arcs of each switch that go up, by label, then by port. They take the positions that the
  /// switch's arcs have in the graph.
  std::vector<Arc> sorted;

  /// Per switch: how many cables it has to each label of its column, if that is the same number for
  /// all of them and not 0; else kMixed.
  std::vector<std::uint32_t> cables;

  std::uint32_t count() const { return static_cast<std::uint32_t>(radix.size()); }
};

TreeColumns find_tree_columns(const TreeLevels& tree);

}  // namespace selvedge
