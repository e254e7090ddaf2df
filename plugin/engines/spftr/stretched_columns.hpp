// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR's and A-SPFTR's columns (columns.hpp) on 2D tori, laid by rule: column 0 is a tree of short
// paths, the others are the stored trees of the destination's shape (spftr/trees.hpp), in which
// every switch has four disjoint paths. O(1) for each switch and column, but for column 0, where
// switches that change to a shorter way take all with them who come through them.
//
// Where cables or switches are missing, a switch that a tree no longer reaches takes another cable,
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
  /// All must outlive this. The lattice is 2D. `most` columns at most.
  StretchedColumns(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules,
                   spftr::TreeBook& book, unsigned most);

  /// Are there trees for every switch of this torus?
  static bool serves(const Lattice& lattice, spftr::TreeBook& book);

  /// The columns towards this switch; valid until the next call. Null where so much is missing that
  /// column 0 can't be laid like this: search (path_columns.hpp).
  const Columns* towards(SwitchId destination);
  /// Of the columns towards the last destination, those that had to be mended, and those of them
  /// that became copies of column 0.
  unsigned mended() const { return mended_; }
  unsigned copies() const { return copies_; }
  /// Columns that its shape has; towards() lays as many as there may be.
  unsigned wanted() const { return wanted_; }

 private:
  bool grow_short_tree();
  std::uint32_t grow(bool wraparound);
  bool shorten();
  bool suits(SwitchId s, const SlSuffix& suffix) const;
  void take_over(SwitchId s, const SlSuffix& suffix, std::uint16_t hops);
  void settle(unsigned column);
  bool mend(unsigned column);
  bool attach(unsigned column, SwitchId s, bool wraparound);
  SlSuffix suffix_by(unsigned column, Arc arc) const;
  /// In column 0: does a switch's path go on at `to`?
  bool comes_by(SwitchId s, SwitchId to) const {
    const Arc arc = columns_.next[s * columns_.stride];
    return arc != kNoArc && graph_.target[arc] == to;
  }
  /// In column 0, of the path from there at `at`.
  const Turn& turn(SwitchId from, SwitchId at) const {
    return rules_.turn(at, columns_.next[from * columns_.stride],
                       columns_.next[at * columns_.stride]);
  }
  Arc& next(unsigned column, SwitchId s) { return columns_.next[s * columns_.stride + column]; }

  const SwitchGraph& graph_;
  const Lattice& lattice_;
  const TurnRules& rules_;
  spftr::TreeBook& book_;
  const unsigned most_;
  const Components pieces_;

  Columns columns_;
  SwitchId destination_ = kNoSwitch;
  unsigned mended_ = 0, copies_ = 0, wanted_ = 0;
  std::vector<std::uint16_t> depth_;  // per switch, in the column at hand: hops; or a state below
  std::vector<SlSuffix> suffix_;      // per switch, in the column at hand
  std::uint32_t listed_ = 0;          // in the order of the column at hand
  std::vector<SwitchId> trail_, level_, next_level_;
};

}  // namespace selvedge
