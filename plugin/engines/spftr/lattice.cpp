// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/lattice.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/fabric/nearest_torus.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

TurnRules turn_rules(const Lattice& lattice, const SwitchGraph& graph,
                     const LatticeRules& lattice_rules) {
  TurnRules rules;
  rules.sls = lattice_rules.sls;
  rules.kinds = 2 * lattice_rules.dimensions;
  rules.turns = lattice_rules.turns;
  rules.kind = lattice.kinds;
  const std::size_t n = lattice.dimensions();
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    rules.region.push_back(static_cast<std::uint8_t>(
        lattice_rules.region_of({lattice.position.data() + s * n, n}, lattice.sizes)));
  return rules;
}

Lattice find_torus(const Fabric& fabric, const SwitchGraph& graph, const char* engine,
                   unsigned most_dimensions) {
  const Regularity form = recognise(fabric);
  const std::size_t n = form.sizes.size();
  if (form.kind != Regularity::Kind::kTorus || n < 2 || n > most_dimensions)
    throw InputError(
        fmt::format("{} needs a torus of {} dimensions", engine,
                    most_dimensions == 2 ? "2" : fmt::format("2 to {}", most_dimensions)),
        fmt::format("this is {}", nearest_torus_text(fabric)),
        "use tftr, which routes any topology, or repair what 'selvedge-route fabric' names");
  Lattice lattice;
  lattice.sizes = form.sizes;
  lattice.position.assign(form.coordinates.begin(), form.coordinates.end());
  lattice.arc.assign(fabric.num_switches() * 2 * n, kNoArc);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
      unsigned differ = 0, dimension = 0;
      for (unsigned i = 0; i < n; ++i)
        if (lattice.coordinate(s, i) != lattice.coordinate(graph.target[a], i)) {
          ++differ;
          dimension = i;
        }
      const unsigned from = lattice.coordinate(s, dimension), size = form.sizes[dimension];
      const unsigned to = lattice.coordinate(graph.target[a], dimension);
      const bool plus = (from + 1) % size == to, minus = (to + 1) % size == from;
      if (differ != 1 || (!plus && !minus))
        throw InputError(fmt::format("{} needs a torus", engine),
                         fmt::format("this is {}, with a surplus cable at {}", form.describe(),
                                     fabric.port_name(graph.channel[a])),
                         "use tftr, which routes any topology, or remove the cable");
      const std::uint8_t kind = plus ? plus_in(dimension) : minus_in(dimension);
      lattice.kinds.push_back(kind);
      if (lattice.arc[s * 2 * n + kind] == kNoArc) lattice.arc[s * 2 * n + kind] = a;
    }
  }
  return lattice;
}

std::vector<Arc> tree_of(const Lattice& lattice, std::uint32_t switches) {
  std::vector<Arc> tree(switches, kNoArc);
  const unsigned n = lattice.dimensions();
  for (SwitchId s = 0; s < switches; ++s)
    for (unsigned i = 0; i < n && tree[s] == kNoArc; ++i)
      if (lattice.coordinate(s, i) > 0) tree[s] = lattice.arc[s * 2 * n + minus_in(i)];
  return tree;
}

}  // namespace selvedge
