// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A torus as SPFTR needs it: the position of each switch, and the direction of each cable. Cables
// and switches may be missing.
#pragma once

#include <vector>

#include "plugin/engines/spftr/tables.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Lattice {
  std::vector<unsigned> sizes;
  std::vector<unsigned> position;   // [switch][dimension]: its coordinate
  std::vector<Arc> arc;             // [switch][kind, see tables.hpp]; kNoArc: no cable
  std::vector<std::uint8_t> kinds;  // per arc: its kind

  unsigned dimensions() const { return static_cast<unsigned>(sizes.size()); }
  unsigned coordinate(SwitchId s, unsigned dimension) const {
    return position[s * sizes.size() + dimension];
  }
  /// Whether the cable of this kind at s is the wraparound cable of its dimension.
  bool wraps(SwitchId s, std::uint8_t kind) const {
    return coordinate(s, kind / 2u) == (kind % 2 == 0 ? 0 : sizes[kind / 2u] - 1);
  }
};

/// The torus that a fabric forms, with 2 to `most_dimensions` dimensions. Throws InputError, which
/// names `engine`, if the fabric is no such torus.
Lattice find_torus(const Fabric& fabric, const SwitchGraph& graph, const char* engine,
                   unsigned most_dimensions);

TurnRules turn_rules(const Lattice& lattice, const SwitchGraph& graph,
                     const LatticeRules& lattice_rules);

/// A spanning tree without wraparound cables. For each switch it has the arc that lowers the first
/// coordinate that is not 0. The turn rules admit paths up this tree, then down.
std::vector<Arc> tree_of(const Lattice& lattice, std::uint32_t switches);

}  // namespace selvedge
