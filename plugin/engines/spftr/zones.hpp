// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Trees that stretch with the torus. Seen from a destination, the coordinates of a dimension are
// divided into *zones*: the destination's own coordinate; one near zone next to it on either side;
// two far zones at each end of the dimension (where regions begin and end, spftr/tables.hpp); and a
// wide zone, which holds all coordinates between near and far. Near and far zones hold one
// coordinate each. So from the destination to an end the zones are
//
//      destination | near | wide … wide | far | far | end of the dimension
//
// If there is no coordinate left for a wide zone, each coordinate is a zone by itself. So there are
// 0 to 4 zones on either side, with a wide one if there are 4. These two numbers are the *shape* of
// a dimension as seen from the destination. The shapes of both dimensions are the destination's
// shape on a 2D torus.
//
// A stretched tree has one direction for all switches of a zone (row zone × column zone). A path in
// it turns only in zones that are not wide, or in the row or column of its source. So a wider zone
// makes the straight parts of the path longer and changes nothing else. What is true of the turns
// of a path, and of whether two paths meet, is true for every width.
//
// There is one exception: the switches of a wide zone may *alternate* ("take turns"). Switches at
// an even distance then have one direction, those at an odd distance another. So a path may also
// turn one hop after its source, wherever the source is, and go on beside another path. SPFTR needs
// this in the destination's own row and column. There, sources have one path that leaves the row
// one hop further on; without it the turn rules admit no four disjoint paths. A-SPFTR, whose table
// admits fewer paths, needs it in every wide zone.
//
// So the trees for one shape serve every destination of that shape, on every torus. 361 shapes
// cover all destinations on tori from 4×4 on, 225 shapes those on tori from 5×5 on.
#pragma once

#include <cstdint>

namespace selvedge::spftr {

/// One dimension of a torus, as a destination sees it.
struct Line {
  unsigned size;         // the number of coordinates in this dimension
  unsigned destination;  // the destination's coordinate

  constexpr unsigned left() const { return destination; }
  constexpr unsigned right() const { return size - 1 - destination; }
};

inline constexpr unsigned kNear = 1, kFar = 2;
inline constexpr unsigned kMostSideZones = kNear + 1 + kFar;  // zones of a side with a wide zone
inline constexpr unsigned kSides = kMostSideZones + 1;        // a side has 0 … kSides − 1 zones
inline constexpr unsigned kLineShapes = kSides * kSides;
inline constexpr unsigned kMostZones = 2 * kMostSideZones + 1;

constexpr unsigned side_zones(unsigned gap) { return gap < kMostSideZones ? gap : kMostSideZones; }

struct Zone {
  std::uint8_t number;  // counted in the order of the coordinates
  bool wide;
  bool odd;    // in a wide zone: whether the distance from its near end is odd
  bool right;  // whether it lies right of the destination (higher coordinates)
};

/// Where the switches of a zone of several coordinates alternate between two directions.
enum class Alternation : std::uint8_t {
  kDestinationLines,  // in the destination's row and column
  kEverywhere,
};

/// The zones of a dimension: their numbers on either side of the destination determine them.
struct LineShape {
  unsigned left, right;  // number of zones on either side

  constexpr unsigned zones() const { return left + 1 + right; }
  constexpr unsigned index() const { return left * kSides + right; }
  /// The number of parts. Each zone is one; in a zone of several coordinates, the switches at odd
  /// distances are another. The latter come last.
  constexpr unsigned parts() const {
    return zones() + (wide_left() ? 1 : 0) + (wide_right() ? 1 : 0);
  }
  constexpr unsigned part(const Zone& zone) const {
    return zone.odd ? zones() + (zone.right && wide_left() ? 1 : 0) : zone.number;
  }
  constexpr bool wide_left() const { return left == kMostSideZones; }
  constexpr bool wide_right() const { return right == kMostSideZones; }
};

constexpr LineShape shape_of(const Line& line) {
  return {side_zones(line.left()), side_zones(line.right())};
}

constexpr Zone zone_of(const Line& line, unsigned coordinate) {
  const unsigned own = side_zones(line.left());
  if (coordinate == line.destination) return {static_cast<std::uint8_t>(own), false, false, false};
  const bool right = coordinate > line.destination;
  const unsigned gap = right ? line.right() : line.left();
  // The zone next to the destination has distance 1.
  const unsigned distance = right ? coordinate - line.destination : line.destination - coordinate;
  const bool stretched = gap >= kMostSideZones;
  const unsigned far = gap - distance;  // 0 at the end of the dimension
  const bool wide = stretched && distance > kNear && far >= kFar;
  const unsigned step = wide ? kNear + 1 : distance <= kNear ? distance : side_zones(gap) - far;
  return {static_cast<std::uint8_t>(right ? own + step : own - step), wide,
          wide && (distance - kNear) % 2 == 0, right};
}

/// The cells of a shape on a 2D torus: the sets of switches that have one direction in a tree, row
/// by row. If switches alternate only in the destination's row and column, each pair of zones is a
/// cell. Four more cells are for switches at odd distances there. If they alternate everywhere,
/// there is one cell for each pair of parts.
struct PlaneShape {
  LineShape rows, columns;
  Alternation turns = Alternation::kDestinationLines;

  unsigned cells() const {
    return turns == Alternation::kEverywhere ? rows.parts() * columns.parts()
                                             : rows.zones() * columns.zones() + 4;
  }
  constexpr unsigned index() const { return rows.index() * kLineShapes + columns.index(); }
  unsigned cell(const Zone& row, const Zone& column) const {
    if (turns == Alternation::kEverywhere)
      return rows.part(row) * columns.parts() + columns.part(column);
    if (column.odd && row.number == rows.left) return cells() - 4 + (column.right ? 1 : 0);
    if (row.odd && column.number == columns.left) return cells() - 2 + (row.right ? 1 : 0);
    return row.number * columns.zones() + column.number;
  }
};
inline constexpr unsigned kPlaneShapes = kLineShapes * kLineShapes;

}  // namespace selvedge::spftr
