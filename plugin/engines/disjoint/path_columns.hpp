// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns paths into columns (Montañana 2008 §4.2.1, stage 6). A switch forwards by the DLID alone,
// so the paths of all sources to one DLID form a tree. A *column* is such a tree towards one
// switch: for each switch the arc that it takes. PathColumns gives every source as many disjoint
// paths as it can, each in a column of its own, and uses few columns in all. Column 0 always holds
// a shortest one of a source's paths. Paths and their columns are chosen together: of several sets
// of paths with equal total length, one is taken that fits the existing trees.
//
// Sources are served in the order of their distance. If some get fewer paths than they could have
// alone, another attempt serves these first; the best attempt is kept. Then each column is
// completed: a switch that no path passes gets an arc such that the rules admit its path with some
// SL. If no arc is found, the paths that block that switch move to another column, or to a new one
// if there is room. Else the column becomes a copy of column 0. If column 0 itself cannot be
// completed, the attempt begins with the paths of the spanning tree in column 0.
//
// The class is in four files: path_columns.cpp (attempts), path_columns_choice.cpp (the paths of
// one source), path_columns_completion.cpp (arcs for switches that no path passes) and
// path_columns_room.cpp (which paths move if that fails).
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
  unsigned columns = 16;  // most columns, at most kMaxColumns
  unsigned attempts = 8;
  unsigned column_cost = 4;  // a new column costs as much as this many hops
  /// Whether one more disjoint path is better than keeping a shortest path in column 0.
  bool more_before_first = false;
  /// Per arc of the graph: the number of parallel cables that the arc stands for. Each cable to the
  /// destination is a disjoint path. Empty: every arc stands for one cable.
  std::span<const std::uint32_t> cables;
  /// What to do if turn rules leave some switch without a path in a column. True: of the paths that
  /// block a path of that switch, each moves to another column by itself; this is better on 3D
  /// tori. False: they move together, into a new column.
  bool displace_paths = false;
};
inline constexpr unsigned kMaxColumns = 64;
using ColumnSet = std::uint64_t;  // bit c: column c
constexpr ColumnSet column_bit(unsigned column) { return ColumnSet{1} << column; }
constexpr ColumnSet first_columns(unsigned n) {
  return n >= kMaxColumns ? ~ColumnSet{0} : column_bit(n) - 1;
}

class PathColumns {
 public:
  /// All arguments must outlive this object. `safe`: a spanning tree, per switch the arc to its
  /// parent, kNoArc at roots. The rules must admit all paths in that tree (up, then down).
  PathColumns(const SwitchGraph& graph, const TurnRules& rules, PathCandidates& candidates,
              std::span<const Arc> safe, const PackRequest& request);

  /// Makes the columns towards `destination`, with up to `wanted` disjoint paths for each of these
  /// sources.
  void pack(SwitchId destination, std::span<const SwitchId> sources, unsigned wanted);

  Columns columns() const;
  unsigned used() const { return best_.used; }  // columns that are distinct trees
  /// Summed over the sources: disjoint paths, up to `wanted`, that the fabric has but the columns
  /// do not.
  unsigned shortfall() const { return best_.shortfall; }
  /// The arc to the next hop of s in a column. kNoArc at the destination, at switches that are cut
  /// off, and at switches from which the rules admit no path that fits the column.
  Arc next(unsigned column, SwitchId s) const { return best_.next[s * request_.columns + column]; }
  /// The SLs that the path from s in this column may use.
  SlSet sls(unsigned column, SwitchId s) const { return best_.suffix[column][s].from_vl0; }

 private:
  /// Stages of limits on candidate paths, from narrow to wide: each source uses the first stage
  /// with enough disjoint paths. The thesis' bound is a slack of 4 hops (Montañana 2008 §4.2.2).
  static constexpr std::array<CandidateLimits, 4> kStages = {{
      {.slack = 4, .turns = 4, .per_first_arc = 96},
      {.slack = 8, .turns = 4, .per_first_arc = 96},
      {.slack = 12, .turns = 4, .per_first_arc = 128},
      {.slack = 13, .turns = 6, .per_first_arc = 400},
  }};
  static constexpr std::uint8_t kUnknown = 255;  // value in bound_: not yet computed

  /// The disjoint paths chosen for one source, each with its column (tree).
  struct Choice {
    unsigned count = 0;
    unsigned fresh = 0;  // how many of these columns are new
    std::array<std::uint32_t, kMaxDisjoint> path{};
    std::array<std::uint8_t, kMaxDisjoint> column{};
  };
  /// A path that has been put into a column.
  struct PlacedPath {
    SwitchId source;
    std::uint8_t column;
    bool counts;  // false: the path only completes the column
    PathCandidates::Path path;
  };
  struct State {
    unsigned used = 0, shortfall = 0;
    std::vector<PlacedPath> placed;
    std::vector<Arc> next;                      // [switch][column]: the arc that it takes
    std::vector<std::vector<SlSuffix>> suffix;  // [column][switch]: SLs of its path
  };

  void clear();
  void attempt();
  bool grow_column_0();
  const PathCandidates::Set& extend_candidates(SwitchId source, unsigned further);
  unsigned disjoint_ways(SwitchId source, unsigned most, bool by_rules);
  unsigned bound(SwitchId source, const PathCandidates::Set& set);
  Choice choose(SwitchId source, const PathCandidates::Set& set);
  unsigned bound_of(SwitchId source);
  unsigned room(const PathCandidates::Set& set) const;
  unsigned parallel_paths(SwitchId source) const;
  unsigned possible(SwitchId source) const;
  unsigned place_parallel(SwitchId source, const PathCandidates::Set& set, const Choice& choice);
  bool place(Choice& choice) const;
  unsigned match(Choice& choice) const;
  void place_path(SwitchId source, std::span<const Arc> arcs, unsigned column);
  void place_safe_tree();
  bool complete(unsigned column, SwitchId& stuck);
  void place_source(SwitchId source);
  bool free_neighbour(unsigned column, SwitchId stuck);
  bool displace_paths(unsigned column, SwitchId stuck);
  std::size_t blocking_paths(SwitchId source, const PathCandidates::Path& path, unsigned column,
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
  std::vector<ColumnSet> unset_;    // per switch: columns in which it has no arc
  std::vector<ColumnSet> taken_;    // per arc: columns that contain it
  std::vector<SwitchId> tail_;      // per arc: the switch that it leaves
  std::vector<Arc> wanted_arc_;     // in blocking_paths(), per switch: the arc that the path takes
  std::vector<std::uint8_t> flow_;  // per arc: whether a path of disjoint_ways() uses it
  std::vector<std::uint8_t> usable_;        // per arc: PathCandidates::usable() for this source
  std::vector<std::uint16_t> depth_;        // per switch: hops in the current column; 0: none yet
  std::vector<Arc> first_;                  // per switch: its arc in column 0
  std::vector<std::uint16_t> first_depth_;  // per switch: hops in column 0
  std::vector<SwitchId> trail_;
  std::vector<SwitchId> order_, short_of_;
  std::vector<ColumnSet> fits_;         // per candidate of the current source: its columns
  std::vector<std::uint8_t> bound_;     // per switch: number of disjoint candidates, or kUnknown
  std::vector<std::uint8_t> searched_;  // per switch: of bound_, how many need no negotiation
  std::vector<std::uint8_t> possible_;  // per switch: number of disjoint paths without turn rules
  std::vector<std::uint8_t> stage_;     // per switch: index into kStages
};

}  // namespace selvedge
