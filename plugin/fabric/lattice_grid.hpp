// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A torus or mesh of known sizes as a grid of places (points with integer coordinates), and the
// switch at each place. place_switches() assigns places to switches that have none, or a wrong one.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge::regularity {

/// A torus or mesh. Its places (points) are numbered row-major, the last dimension fastest.
struct Grid {
  bool wrap;
  std::vector<unsigned> sizes;
  std::vector<std::uint32_t> stride;
  std::uint32_t places = 1;
  std::vector<SwitchId> switch_at;   // per place; kNoSwitch: the place is free
  std::vector<std::uint32_t> place;  // per switch; kNowhere: it has no place
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  unsigned coordinate(std::uint32_t p, std::size_t i) const { return p / stride[i] % sizes[i]; }
  /// The place one step up (or down) in dimension i; kNowhere beyond the edge of a mesh.
  std::uint32_t beside(std::uint32_t p, std::size_t i, bool up) const {
    const unsigned c = coordinate(p, i);
    if (up) {
      if (c + 1 < sizes[i]) return p + stride[i];
      return wrap ? p - c * stride[i] : kNowhere;
    }
    if (c > 0) return p - stride[i];
    return wrap ? p + (sizes[i] - 1) * stride[i] : kNowhere;
  }
  bool touch(std::uint32_t p, std::uint32_t q) const {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (beside(p, i, true) == q || beside(p, i, false) == q) return true;
    return false;
  }
};

/// Gives every switch a place. A switch is moved next to as many of its neighbours as possible if
/// it has no place, or if less than half of its neighbours are adjacent to it in the grid. Then
/// switches exchange places as long as that makes more neighbours adjacent. Returns false if too
/// many switches had to be moved. The grid must have at least as many places as there are switches.
bool place_switches(const PlainGraph& graph, Grid& grid);

/// Turns a hypercube of an even number of dimensions into a torus of half as many dimensions, of
/// size 4 each: it is the same graph.
void fold_hypercube(Grid& grid);

/// The cables that the torus or mesh has between the switches in the grid.
std::vector<Pair> cables(const Grid& grid);

}  // namespace selvedge::regularity
