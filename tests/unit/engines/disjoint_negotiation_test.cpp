// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/negotiation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "plugin/engines/spftr/lattice.hpp"
#include "tests/unit/engines/small_graphs.hpp"

namespace selvedge {
namespace {

using test::Arcs;
using test::Ruled;

/// Whether the arcs lead from one switch to the other without passing a switch twice.
bool is_path(const SwitchGraph& graph, const Arcs& path, SwitchId from, SwitchId to) {
  std::set<SwitchId> met{from};
  SwitchId at = from;
  for (const Arc arc : path) {
    if (arc < graph.first[at] || arc >= graph.first[at + 1]) return false;
    at = graph.target[arc];
    if (!met.insert(at).second) return false;
  }
  return at == to;
}

bool are_disjoint(const SwitchGraph& graph, std::span<const Arcs> paths) {
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (test::share(graph, paths[i], paths[j])) return false;
  return true;
}

RC_GTEST_PROP(DisjointNegotiation, what_it_finds_is_disjoint_and_admitted, ()) {
  const Ruled g(*test::small_graph(12, 20), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u));
  DisjointNegotiation negotiation(g.graph, g.rules);
  for (SwitchId d = 0; d < g.fabric.num_switches(); ++d)
    for (SwitchId s = 0; s < g.fabric.num_switches(); ++s) {
      if (s == d) continue;
      const unsigned count = *rc::gen::inRange(1u, 5u);
      const std::vector<Arcs> paths = negotiation.find(s, d, count);
      RC_ASSERT(paths.size() % count == 0);
      for (const Arcs& path : paths) {
        RC_ASSERT(is_path(g.graph, path, s, d));
        RC_ASSERT(test::serving(g, path) != 0);
      }
      for (std::size_t i = 0; i < paths.size(); i += count)
        RC_ASSERT(are_disjoint(g.graph, {paths.data() + i, count}));
    }
}

// The reference tries all sets of all paths. Negotiation (plugin/engines/disjoint/negotiation.hpp)
// may find fewer disjoint paths, and sometimes does since all paths of these graphs are long, but
// seldom.
TEST(DisjointNegotiation, FindsNearlyAllThereIs) {
  unsigned there = 0, found = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Ruled g(test::random_irregular({8, 6, 8, 0, seed}, {}), 2, 4);
    DisjointNegotiation negotiation(g.graph, g.rules);
    for (SwitchId s = 1; s < g.fabric.num_switches(); ++s) {
      std::vector<Arcs> admitted = test::simple_paths(g.graph, s, 0);
      std::erase_if(admitted, [&](const Arcs& path) { return test::serving(g, path) == 0; });
      const unsigned most = test::most_disjoint(g.graph, admitted);
      EXPECT_TRUE(negotiation.find(s, 0, most + 1).empty());
      if (most == 0) continue;
      ++there;
      found += negotiation.find(s, 0, most).empty() ? 0 : 1;
    }
  }
  EXPECT_GE(there, 300u);
  EXPECT_GE(found * 100, there * 98) << found << " of " << there;
}

// From the first switch of a 3D torus to the last there are six disjoint paths. None of them can be
// a shortest path, and among the first 400 paths by each first arc no six are disjoint.
TEST(DisjointNegotiation, SixPathsFromCornerToCorner) {
  for (const unsigned k : {4u, 6u, 8u}) {
    const Fabric fabric = torus({k, k, k});
    const SwitchGraph graph = make_switch_graph(fabric);
    const Lattice lattice = find_torus(fabric, graph, "spftr", 3);
    const TurnRules rules = turn_rules(lattice, graph, spftr_rules(3));
    DisjointNegotiation negotiation(graph, rules);
    const SwitchId last = fabric.num_switches() - 1;
    const std::vector<Arcs> paths = negotiation.find(0, last, 6);
    ASSERT_GE(paths.size(), 6u) << k;
    EXPECT_TRUE(are_disjoint(graph, {paths.data(), 6}));
    for (const Arcs& path : paths) {
      EXPECT_TRUE(is_path(graph, path, 0, last));
      SlState state{rules.all(), 0};
      for (std::size_t i = 1; i < path.size(); ++i)
        state = state.after(rules.turn(graph.target[path[i - 1]], path[i - 1], path[i]));
      EXPECT_NE(state.any(), 0);
    }
  }
}

}  // namespace
}  // namespace selvedge
