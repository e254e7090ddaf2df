// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SL2VL tables of SPFTR and A-SPFTR (Montañana 2008, Tables 4.2 and 4.3) as rules for turns.
//
// Positions on a torus are coordinates 0 … size−1; the directions of a dimension are − and +. The
// wraparound cable of a dimension joins its last coordinate to 0. A switch's region is the set of
// dimensions in which its coordinate is the last. Switches of one region have the same table.
//
// The thesis gives SPFTR's table for 2D tori and extends it to n dimensions by planes (§4.3.6): a
// turn lies in the plane of its two dimensions and takes its entry from the plane's table. That
// works because the entries of a straight turn depend on its own dimension only. There are 4
// regions in two dimensions, 8 in three.
//
// A-SPFTR has a table of its own with 10 regions and 3 SLs, for 2D tori only.
#pragma once

#include <span>
#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

/// Kinds of arcs on an n-D torus: 2i towards − in dimension i (slowest first), 2i + 1 towards +.
inline constexpr std::uint8_t minus_in(std::size_t dimension) {
  return static_cast<std::uint8_t>(2 * dimension);
}
inline constexpr std::uint8_t plus_in(std::size_t dimension) {
  return static_cast<std::uint8_t>(2 * dimension + 1);
}

/// The rules for turns of a torus, before its switches and arcs are known.
struct LatticeRules {
  unsigned sls;
  unsigned dimensions;
  unsigned regions;
  std::vector<Turn> turns;  // [region][kind in][kind out], as in TurnRules
  /// The region of a position on a torus of these sizes.
  unsigned (*region_of)(std::span<const unsigned> position, std::span<const unsigned> sizes);
};

/// Table 4.2, for any number of dimensions from 2.
LatticeRules spftr_rules(unsigned dimensions);
/// Table 4.3; 2D.
LatticeRules aspftr_rules();

}  // namespace selvedge
