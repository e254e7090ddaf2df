// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths of which stretched trees can be made (plugin/engines/spftr/zones.hpp), on a sample
// torus that is just large enough to have every case of a shape.
#pragma once

#include <climits>
#include <cstdint>
#include <utility>
#include <vector>

#include "plugin/engines/spftr/tables.hpp"
#include "plugin/engines/spftr/zones.hpp"

namespace selvedge::spftr {

/// A 2D torus with one destination. Directions are the kinds of arcs of spftr/tables.hpp.
struct SampleTorus {
  Line rows, columns;
  PlaneShape shape;
  const LatticeRules* rules;

  unsigned switches() const { return rows.size * columns.size; }
  unsigned destination() const { return rows.destination * columns.size + columns.destination; }
  unsigned step(unsigned at, unsigned direction) const;
  unsigned distance(unsigned at) const;
  unsigned region(unsigned at) const;
  Zone row_zone(unsigned at) const { return zone_of(rows, at / columns.size); }
  Zone column_zone(unsigned at) const { return zone_of(columns, at % columns.size); }
  unsigned cell(unsigned at) const { return shape.cell(row_zone(at), column_zone(at)); }
};

struct ZonePath {
  std::vector<unsigned> directions;
  std::vector<unsigned> switches;  // after the source, without the destination
};

struct PathBounds {
  unsigned turns = 6;          // kMostTurns at most
  unsigned slack = 8;          // most hops over the distance
  unsigned number = UINT_MAX;  // most paths for each first direction: the shortest ones
};
inline constexpr unsigned kMostTurns = 9;

/// The paths that a stretched tree may hold and that some SL admits.
class ZonePaths {
 public:
  explicit ZonePaths(const SampleTorus& torus);
  /// The paths from `source`, by first direction, short ones first; none is longer than kMostHops.
  /// (A search that takes too many steps ends early.)
  std::vector<ZonePath> from(unsigned source, const PathBounds& bounds);

 private:
  static constexpr unsigned kMostHops = 63;
  static constexpr unsigned kMostSteps = 200'000;  // for each length and first direction

  bool may_turn_for_some(unsigned at, unsigned in) const;
  bool may_turn(unsigned at, unsigned in) const;
  bool leads(unsigned at, unsigned in, const SlState& state, unsigned turns, unsigned hops) const;
  bool agrees(unsigned at, unsigned direction) const;
  void look_ahead();
  void go(unsigned at, const SlState& state, unsigned turns, unsigned hops);
  std::uint64_t& ahead(unsigned at, unsigned in, unsigned sl, unsigned vl, unsigned turns) {
    return ahead_[(((at * 4 + in) * torus_.rules->sls + sl) * 2 + vl) * (kMostTurns + 1) + turns];
  }
  const Turn& turn(unsigned at, unsigned in, unsigned out) const {
    return torus_.rules->turns[(region_[at] * 4 + in) * 4 + out];
  }

  const SampleTorus torus_;
  std::vector<unsigned> region_;  // per switch
  /// [switch][direction by which it is entered][SL][VL][turns that are left]: bit h is set if a
  /// packet can get from there to the destination in h hops.
  std::vector<std::uint64_t> ahead_;
  // State of the present search.
  // Whether the path begins in the destination's row, column.
  bool in_row_ = false, in_column_ = false;
  std::size_t most_ = 0;  // most paths with this first direction
  unsigned steps_ = 0;
  std::vector<bool> on_;
  std::vector<unsigned> directions_, switches_;
  std::vector<std::pair<unsigned, unsigned>> cells_;
  std::vector<ZonePath> found_;
};

/// For each path the least total length of a set of four disjoint paths with this path in it; 0 if
/// there is none.
std::vector<unsigned> totals(const std::vector<ZonePath>& paths);

}  // namespace selvedge::spftr
