// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SL2VL tables of SPFTR and A-SPFTR (Montañana 2008, Tables 4.2 and 4.3) as rules for turns.
//
// Positions on a torus are coordinates 0 … size−1, the directions of a dimension − and +. The
// wraparound cable of a dimension joins its last coordinate to 0. Regions are told by which
// dimensions a switch is last in: two switches of one region have the same table.
//
// The thesis gives SPFTR's table for 2D tori and extends it to n dimensions by planes (§4.3.6): a
// turn lies in the plane of its two dimensions and takes its entry from there. That works because
// the entries of a straight turn depend on its own dimension only. With two dimensions there are 4
// regions, with three 8.
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

/// What rules a torus' turns obey, before it is known which switches and arcs there are.
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
