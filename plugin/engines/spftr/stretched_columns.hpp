// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The columns (columns.hpp: trees towards one switch) of SPFTR and A-SPFTR on 2D tori. Column 0 is
// a tree of short paths. The others are the stored trees for the shape of the torus as seen from
// the destination (spftr/trees.hpp), in which every switch has four disjoint paths. The time is
// O(1) for each switch and column, except in column 0: if a switch changes to a shorter path, all
// switches whose paths pass it change too.
//
// If cables or switches are missing, a switch that a tree no longer reaches takes another cable: to
// a neighbour from which the turn rules admit its path. If there is none, the whole column becomes
// a copy of column 0.
#pragma once

#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/spftr/lattice.hpp"
#include "plugin/engines/spftr/trees.hpp"

namespace selvedge {

class StretchedColumns {
 public:
  /// All references must outlive this object. The lattice must have two dimensions. `most`: the
  /// highest number of columns.
  StretchedColumns(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules,
                   spftr::TreeCatalog& catalog, unsigned most);

  /// Whether there are stored trees for every destination on this torus.
  static bool serves(const Lattice& lattice, spftr::TreeCatalog& catalog);

  /// The columns (trees) towards this switch; valid until the next call. Returns nullptr if column
  /// 0 does not reach all switches, because cables or switches are missing. Then paths must be
  /// searched (path_columns.hpp).
  const Columns* towards(SwitchId destination);
  /// How many columns towards the last destination had to be repaired, and how many of these became
  /// copies of column 0.
  unsigned reattached() const { return reattached_; }
  unsigned copies() const { return copies_; }
  /// The number of columns that give each pair all its paths to the last destination; towards()
  /// makes at most `most` of them.
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
  /// In column 0: the turn that the path of neighbour `from` makes at switch `at`.
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
  /// Per switch in the current column: hops, or a state (see .cpp)
  std::vector<std::uint16_t> depth_;
  std::vector<SlSuffix> suffix_;  // per switch in the current column: SLs of its path
  std::uint32_t ordered_ = 0;     // length of the current column's order so far
  std::vector<SwitchId> trail_, level_, next_level_;
};

}  // namespace selvedge
