// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The digits of a fat tree, found from its cables. Seen from above, a fat tree is a tree of
// columns. A column is a set of switches of one level that are connected through their own level
// and the levels above, together with what is above them. Without its lowest level, a column splits
// into smaller columns. The whole tree is the first column; each top switch is a last one. A path
// that goes up from level l chooses one of the smaller columns, and every switch of the column has
// the same choice. That choice is the digit.
//
//   2-ary 3-tree      level 2    0   1   2   3      columns {0} {1} {2} {3}
//                     level 1    0   1   2   3      {0, 2 and the tops 0, 2}  {1, 3 and 1, 3}
//                     level 0    0   1   2   3      one column, with all switches
//
// (In an XGFT, the switches of a column are those with the same digits x_1…x_l.)
//
// A column of level l splits into `radix` smaller ones, labelled 0 … radix − 1 in the order of
// their lowest switch ids. At a column, destination number j has digit(j) = j / unit % radix, where
// `unit` is the product of the radices on the way from the whole tree to the column. So digits are
// taken from the least significant one up. They are floor(j / Π w) mod w of XGFT, and the component
// of j for the level in a k-ary n-tree (Gómez 2007 §4).
//
// If cables are missing, columns can only split further. Two columns are taken as the remains of
// one if no switch is cabled to both. They get one label: first fit, by ascending lowest id. A
// column that has lost a switch above it has fewer labels than others of its level, but its radix
// is the same as theirs. So the digits of other columns do not change, and a label without cables
// is treated like one whose cables are missing. A label says where a packet should go, not that a
// path exists; that is tested for each destination.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/tree/levels.hpp"

namespace selvedge {

using Column = std::uint32_t;

struct TreeColumns {
  static constexpr std::uint32_t kNoColumn = UINT32_MAX;
  static constexpr std::uint32_t kMixed = 0;  // value in `cables`: see there

  // Per column. A column has a higher number than the smaller columns in it.
  std::vector<std::uint32_t> radix;  // number of labels; 0: no level above
  std::vector<std::uint64_t> unit;   // the divisor in digit(), but at most 2^40
  std::vector<Column> parent;        // the larger column; kNoColumn: a whole component
  std::vector<std::uint32_t> label;  // the label within the larger column

  std::vector<Column> of;             // per switch: the column whose lowest level it is in
  std::vector<std::uint32_t> member;  // per switch: its number within that column, by id

  std::vector<std::uint32_t> label_of;  // per arc that goes up: the label it leads to
  /// The arcs of each switch that go up, sorted by label, then by port. They occupy the same
  /// positions as the switch's arcs in the graph.
  std::vector<Arc> sorted;

  /// Per switch, the number of its cables to each label of its column, if it is the same for all
  /// labels and not 0; else kMixed.
  std::vector<std::uint32_t> cables;

  std::uint32_t count() const { return static_cast<std::uint32_t>(radix.size()); }
};

TreeColumns find_tree_columns(const TreeLevels& tree);

}  // namespace selvedge
