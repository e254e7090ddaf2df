// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR's and A-SPFTR's columns (columns.hpp) on 2D tori. Column 0 is a tree of short paths. The
// others are the stored trees of the destination's shape (spftr/trees.hpp), in which every switch
// has four disjoint paths. O(1) for each switch and column, except for column 0: a switch that
// changes to a shorter path takes along all switches whose paths pass it.
//
// If cables or switches are missing, a switch that a tree no longer reaches takes another cable,
// towards a neighbour from which its path is admitted. A column in which that fails becomes a copy
// of column 0.
#pragma once

#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/spftr/lattice.hpp"
#include "plugin/engines/spftr/trees.hpp"

namespace selvedge {

class StretchedColumns {
 public:
  /// All arguments must outlive this object. The lattice is 2D. `most`: the highest number of
  /// columns.
  StretchedColumns(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules,
                   spftr::TreeCatalog& catalog, unsigned most);

  /// Whether there are trees for every switch of this torus.
  static bool serves(const Lattice& lattice, spftr::TreeCatalog& catalog);

  /// The columns towards this switch; valid until the next call. Null if column 0 does not reach
  /// all switches because of missing cables or switches; then path_columns.hpp must search.
  const Columns* towards(SwitchId destination);
  /// Of the columns towards the last destination: how many had to be mended, and how many of these
  /// became copies of column 0.
  unsigned reattached() const { return reattached_; }
  unsigned copies() const { return copies_; }
  /// The columns of the destination's shape; towards() uses as many as `most` permits.
  unsigned wanted() const { return wanted_; }

 private:
  bool grow_short_tree();
  std::uint32_t grow(bool wraparound);
  bool shorten();
  bool admits_senders(SwitchId s, const SlSuffix& suffix) const;
  void take_over(SwitchId s, const SlSuffix& suffix, std::uint16_t hops);
  void settle(unsigned column);
  bool reattach_column(unsigned column);
  bool attach(unsigned column, SwitchId s, bool wraparound);
  SlSuffix suffix_by(unsigned column, Arc arc) const;
  /// In column 0: whether the next hop of s is `to`.
  bool path_passes(SwitchId s, SwitchId to) const {
    const Arc arc = columns_.next[s * columns_.stride];
    return arc != kNoArc && graph_.target[arc] == to;
  }
  /// In column 0: the turn at `at` of the path that comes from the neighbour `from`.
  const Turn& turn(SwitchId from, SwitchId at) const {
    return rules_.turn(at, columns_.next[from * columns_.stride],
                       columns_.next[at * columns_.stride]);
  }
  Arc& next(unsigned column, SwitchId s) { return columns_.next[s * columns_.stride + column]; }

  const SwitchGraph& graph_;
  const Lattice& lattice_;
  const TurnRules& rules_;
  spftr::TreeCatalog& catalog_;
  const unsigned most_;
  const Components pieces_;

  Columns columns_;
  SwitchId destination_ = kNoSwitch;
  unsigned reattached_ = 0, copies_ = 0, wanted_ = 0;
  std::vector<std::uint16_t> depth_;  // per switch, in the current column: hops; or a state (.cpp)
  std::vector<SlSuffix> suffix_;      // per switch, in the current column
  std::uint32_t ordered_ = 0;         // length of the current column's order
  std::vector<SwitchId> trail_, level_, next_level_;
};

}  // namespace selvedge
