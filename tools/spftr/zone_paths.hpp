// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths that stretched trees can be made of (plugin/engines/spftr_zones.hpp), on a torus that
// is just large enough to show every case of a shape.
#pragma once

#include <vector>

#include "plugin/engines/spftr_tables.hpp"
#include "plugin/engines/spftr_zones.hpp"

namespace selvedge::spftr {

/// A 2D torus with one destination. Directions are the kinds of arcs of spftr_tables.hpp.
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
  unsigned turns = 6;
  unsigned slack = 8;  // hops over the distance
};

/// All paths from `source` that a stretched tree may hold and that some SL admits, short ones
/// first.
std::vector<ZonePath> zone_paths(const SampleTorus& torus, unsigned source,
                                 const PathBounds& bounds);

/// The least total length of a set of four disjoint paths with each path in it; 0: there is none.
std::vector<unsigned> totals(const SampleTorus& torus, const std::vector<ZonePath>& paths);

}  // namespace selvedge::spftr
