// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Trees that stretch with the torus. Seen from a destination, the coordinates of a dimension are
// divided into *zones*: the destination's own; next to it one near zone on either side; two far
// zones at each end of the dimension (where regions begin and end, spftr/tables.hpp); and the wide
// zone, all coordinates between. From the destination to an end there are thus
//
//      destination | near | wide … wide | far | far | end of the dimension
//
// If there is no room for a wide zone, each coordinate is a zone by itself. The number of zones on
// either side, 0 to 4 (4: with a wide one), is the *shape* of a line. The shapes of a destination's
// row and column are its shape on a 2D torus.
//
// A stretched tree has one direction for all switches of a zone (row zone × column zone). A path in
// it turns in narrow zones only, or in the row or column of its source. So a wider zone makes its
// straight runs longer and changes nothing else. What holds for the turns of a path, and for
// whether two paths meet, holds for every width.
//
// There is one exception: the switches of a wide zone may *take turns*, that is, alternate: those
// at an even distance have one direction, those at an odd distance another. Then a path may also
// turn one hop after its source, wherever the source is, and run beside another path. SPFTR needs
// this in the destination's own row and column: sources there have one path that leaves the row one
// hop further on, and without it no four disjoint paths are admitted. A-SPFTR, whose table admits
// fewer paths, needs it in every wide zone.
//
// So the trees of one shape serve every destination of that shape, on every torus. 361 shapes cover
// all destinations on tori from 4×4 on, 225 those on tori from 5×5 on.
#pragma once

#include <cstdint>

namespace selvedge::spftr {

/// One dimension as a destination sees it.
struct Line {
  unsigned size;         // of the dimension
  unsigned destination;  // its coordinate

  constexpr unsigned left() const { return destination; }
  constexpr unsigned right() const { return size - 1 - destination; }
};

inline constexpr unsigned kNear = 1, kFar = 2;
inline constexpr unsigned kMostSideZones = kNear + 1 + kFar;  // a side with a wide zone
inline constexpr unsigned kSides = kMostSideZones + 1;  // numbers of zones that a side can have
inline constexpr unsigned kLineShapes = kSides * kSides;
inline constexpr unsigned kMostZones = 2 * kMostSideZones + 1;

constexpr unsigned side_zones(unsigned gap) { return gap < kMostSideZones ? gap : kMostSideZones; }

struct Zone {
  std::uint8_t number;  // in the order of the coordinates
  bool wide;
  bool odd;    // in a wide zone: odd distance from its end next to the destination
  bool right;  // of the destination
};

/// Where the switches of a wide zone alternate between two directions.
enum class Alternation : std::uint8_t {
  kDestinationLines,  // in the destination's row and column
  kEverywhere,
};

/// The zones of a line, from its shape alone.
struct LineShape {
  unsigned left, right;  // zones on either side

  constexpr unsigned zones() const { return left + 1 + right; }
  constexpr unsigned index() const { return left * kSides + right; }
  /// Zones, where the odd switches of a wide zone count as one more; those come last.
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
  // 1 is next to the destination
  const unsigned distance = right ? coordinate - line.destination : line.destination - coordinate;
  const bool stretched = gap >= kMostSideZones;
  const unsigned far = gap - distance;  // 0: the end of the dimension
  const bool wide = stretched && distance > kNear && far >= kFar;
  const unsigned step = wide ? kNear + 1 : distance <= kNear ? distance : side_zones(gap) - far;
  return {static_cast<std::uint8_t>(right ? own + step : own - step), wide,
          wide && (distance - kNear) % 2 == 0, right};
}

/// The cells of a shape on a 2D torus, row by row. If switches alternate in the destination's row
/// and column only: one cell for each pair of zones, and four more for the odd switches there. If
/// they alternate everywhere: one cell for each pair of parts of zones.
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
