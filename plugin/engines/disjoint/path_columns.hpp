// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From paths to LFTs (Montañana 2008 §4.2.1, stage 6): a switch forwards on the DLID alone, so the
// paths of all sources under one DLID form a tree. A *column* is such a tree towards one switch:
// for each switch the arc that it takes. The packer gives every source as many disjoint paths as it
// can, each in another column, with few columns; column 0 always holds a shortest of a source's
// paths. Paths are chosen together with their columns: among sets of equal length the one that fits
// the trees as they are wins.
//
// Sources go by distance. Those that fall short of what they could have alone go first in another
// attempt; the best attempt counts. Then each column is completed: switches that no path passed get
// an arc such that their path is admitted with some SL. A column where that fails is split in two
// while there is room, else given up: it becomes a copy of column 0. Where column 0 itself fails,
// the attempt starts with the spanning tree in column 0.
//
// In four files: path_columns.cpp (attempts), path_columns_choice.cpp (a source's paths),
// path_columns_completion.cpp (the arcs that no path gave) and path_columns_room.cpp (what moves
// where that fails).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/disjoint/negotiation.hpp"
#include "plugin/engines/disjoint/path_candidates.hpp"
#include "plugin/engines/disjoint/search.hpp"

namespace selvedge {

struct PackRequest {
  unsigned columns = 16;  // at most kMaxColumns
  unsigned attempts = 8;
  unsigned column_cost = 4;  // hops that a column more is worth
  /// One disjoint path more counts for more than that column 0 holds a shortest of them.
  bool more_before_first = false;
  /// Where a column can't be completed, all that blocks a path of the switch that is stuck moves,
  /// one by one: better on tori of three dimensions; else it moves together, into a new column.
  bool make_room = false;
};
inline constexpr unsigned kMaxColumns = 64;
using ColumnSet = std::uint64_t;  // bit c: column c
constexpr ColumnSet column_bit(unsigned column) { return ColumnSet{1} << column; }
constexpr ColumnSet first_columns(unsigned n) {
  return n >= kMaxColumns ? ~ColumnSet{0} : column_bit(n) - 1;
}

class PathColumns {
 public:
  /// All must outlive this. `safe` per switch: the arc of a spanning tree towards its root, whose
  /// paths (up the tree, then down) the rules admit; kNoArc at roots.
  PathColumns(const SwitchGraph& graph, const TurnRules& rules, PathCandidates& candidates,
              std::span<const Arc> safe, const PackRequest& request);

  /// Columns towards `destination` for these sources; at most `wanted` disjoint paths each.
  void pack(SwitchId destination, std::span<const SwitchId> sources, unsigned wanted);

  Columns columns() const;
  unsigned used() const { return best_.used; }  // columns that are trees of their own
  /// Paths that sources lack of what the fabric has for them, up to `wanted`.
  unsigned shortfall() const { return best_.shortfall; }
  /// kNoArc at the destination, at switches that are cut off, and at those for which the rules have
  /// no way that fits.
  Arc next(unsigned column, SwitchId s) const { return best_.next[s * request_.columns + column]; }
  /// The SLs with which the path from s in this column may be travelled.
  SlSet sls(unsigned column, SwitchId s) const { return best_.suffix[column][s].from_vl0; }

 private:
  /// What paths are looked at, by how hard it is to find enough that are disjoint. The thesis'
  /// bound is a slack of 4 (Montañana 2008 §4.2.2).
  static constexpr std::array<CandidateLimits, 4> kStages = {{
      {.slack = 4, .turns = 4, .per_first_arc = 96},
      {.slack = 8, .turns = 4, .per_first_arc = 96},
      {.slack = 12, .turns = 4, .per_first_arc = 128},
      {.slack = 13, .turns = 6, .per_first_arc = 400},
  }};
  static constexpr std::uint8_t kUnknown = 255;  // in bound_

  /// Paths of one source, each with its column.
  struct Choice {
    unsigned count = 0;
    unsigned fresh = 0;  // of the columns, how many are new
    std::array<std::uint32_t, kMaxDisjoint> path{};
    std::array<std::uint8_t, kMaxDisjoint> column{};
  };
  /// A path that a source counts on.
  struct Laid {
    SwitchId source;
    std::uint8_t column;
    bool counts;  // false: it is only there so that the column can be completed
    PathCandidates::Path path;
  };
  struct State {
    unsigned used = 0, shortfall = 0;
    std::vector<Laid> laid;
    std::vector<Arc> next;                      // [switch][column]
    std::vector<std::vector<SlSuffix>> suffix;  // [column][switch]
  };

  void clear();
  void attempt();
  bool grow_first();
  const PathCandidates::Set& widen(SwitchId source, unsigned further);
  unsigned disjoint_ways(SwitchId source, unsigned most, bool by_rules);
  unsigned bound(SwitchId source, const PathCandidates::Set& set);
  Choice choose(SwitchId source, const PathCandidates::Set& set);
  unsigned bound_of(SwitchId source);
  unsigned room(const PathCandidates::Set& set) const;
  bool place(Choice& choice) const;
  unsigned match(Choice& choice) const;
  void lay(SwitchId source, std::span<const Arc> arcs, unsigned column);
  void lay_safe_tree();
  bool complete(unsigned column, SwitchId& stuck);
  void serve(SwitchId source);
  bool make_way(unsigned column, SwitchId stuck);
  bool make_room(unsigned column, SwitchId stuck);
  std::size_t in_the_way(SwitchId source, const PathCandidates::Path& path, unsigned column,
                         std::vector<std::size_t>& blocking);
  void rebuild(unsigned column);
  void settle(unsigned column, SwitchId s);
  void begin_column(unsigned column);
  bool attach(unsigned column, SwitchId s, unsigned depth);
  const PathCandidates::Path* attach_by_path(unsigned column, SwitchId s);
  ColumnSet fits(SwitchId source, std::span<const Arc> arcs) const;

  const SwitchGraph& graph_;
  const TurnRules& rules_;
  PathCandidates& candidates_;
  DisjointSearch search_;
  DisjointNegotiation negotiation_;
  std::span<const Arc> safe_;
  const PackRequest request_;
  SwitchId destination_ = kNoSwitch;
  unsigned wanted_ = 1;

  State now_, best_;
  std::vector<ColumnSet> unset_;      // per switch: columns without an arc there
  std::vector<ColumnSet> taken_;      // per arc: columns that take it
  std::vector<SwitchId> tail_;        // per arc: the switch that it leaves
  std::vector<Arc> wanted_arc_;       // per switch: of the path at hand, else kNoArc
  std::vector<std::uint8_t> flow_;    // per arc
  std::vector<std::uint8_t> usable_;  // per arc, for the source at hand
  std::vector<std::uint16_t> depth_;  // per switch, in the column being completed; 0 = not yet
  std::vector<Arc> first_;            // per switch: column 0
  std::vector<std::uint16_t> first_depth_;  // per switch, in column 0
  std::vector<SwitchId> trail_;
  std::vector<SwitchId> order_, short_of_;
  std::vector<ColumnSet> fits_;      // per candidate of the source at hand
  std::vector<std::uint8_t> bound_;  // per switch: disjoint paths if it were alone; 255: not known
  std::vector<std::uint8_t> searched_;  // per switch: of these, what a search finds
  std::vector<std::uint8_t> possible_;  // per switch: what the fabric has, whatever the rules
  std::vector<std::uint8_t> stage_;     // per switch: how widely its paths are looked for
};

}  // namespace selvedge
