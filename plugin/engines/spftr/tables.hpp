// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SL2VL tables of SPFTR and A-SPFTR (Montañana 2008, Tables 4.2 and 4.3), as turn rules
// (turn_rules.hpp).
//
// Positions on a torus are coordinates 0 … size−1. The directions of a dimension are − and +. The
// wraparound cable of a dimension connects the last coordinate to 0. For SPFTR, the region of a
// switch is the set of dimensions in which its coordinate is the last one. Switches of one region
// have the same table.
//
// The thesis gives SPFTR's table for 2D tori and extends it to n dimensions by planes (§4.3.6). A
// turn lies in the plane of its two dimensions, and takes its entry from the table for that plane.
// A straight turn lies in several planes, but its entries depend on its own dimension only, so they
// agree. There are 4 regions in two dimensions, 8 in three.
//
// A-SPFTR has another table, with 10 regions and 3 SLs, for 2D tori only.
#pragma once

#include <span>
#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

/// The kinds of arcs on an n-D torus: 2i towards − in dimension i (dimension 0 varies slowest), 2i
/// + 1 towards +.
inline constexpr std::uint8_t minus_in(std::size_t dimension) {
  return static_cast<std::uint8_t>(2 * dimension);
}
inline constexpr std::uint8_t plus_in(std::size_t dimension) {
  return static_cast<std::uint8_t>(2 * dimension + 1);
}

/// The turn rules of a torus, before its switches and arcs are known.
struct LatticeRules {
  unsigned sls;
  unsigned dimensions;
  unsigned regions;
  std::vector<Turn> turns;  // [region][kind in][kind out], as in TurnRules
  /// The region of a position on a torus of these sizes.
  unsigned (*region_of)(std::span<const unsigned> position, std::span<const unsigned> sizes);
};

/// The rules of Table 4.2, for 2 dimensions or more.
LatticeRules spftr_rules(unsigned dimensions);
/// The rules of Table 4.3, for 2 dimensions.
LatticeRules aspftr_rules();

}  // namespace selvedge
