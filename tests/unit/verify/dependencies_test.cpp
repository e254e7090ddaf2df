// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph with its two ways of counting turns, and the topological order that is
// updated turn by turn.
#include "plugin/verify/dependencies.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "plugin/verify/cycle.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;
using namespace selvedge::prover;

constexpr unsigned kVls = 3;
constexpr std::size_t kPlenty = std::size_t{1} << 24;

struct Graphs {
  explicit Graphs(random_subnet::Random& random)
      : fabric(random_subnet::fabric(random, 6)),
        wiring(fabric),
        flat(wiring, kVls, kPlenty),
        hashed(wiring, kVls, 0) {}

  /// A turn between two cables of a switch, if it has any.
  std::optional<Turn> any_turn(random_subnet::Random& random) const {
    const SwitchId s = random_subnet::below(random, wiring.switches);
    const auto out = fabric.out(s);
    if (out.empty()) return std::nullopt;
    auto port = [&] {
      return fabric.port_of(out[random_subnet::below(random, static_cast<unsigned>(out.size()))]);
    };
    const PortNum in = port(), leave = port();
    return Turn{s, in, leave, static_cast<Vl>(random_subnet::below(random, kVls)),
                static_cast<Vl>(random_subnet::below(random, kVls))};
  }
  std::pair<reference::Node, reference::Node> edge(const Turn& t) const {
    return {{fabric.peer(fabric.channel(t.at, t.in)), t.from}, {fabric.channel(t.at, t.out), t.to}};
  }

  Fabric fabric;
  Wiring wiring;
  Dependencies flat, hashed;
};

RC_GTEST_PROP(DependenciesProperty, BothWaysOfCountingAgree, ()) {
  random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
  Graphs g(random);
  std::map<Turn, unsigned> counts;
  for (unsigned i = 0; i < 200; ++i) {
    const auto turn = g.any_turn(random);
    if (!turn) return;
    const auto cell = g.flat.cell(*turn);
    RC_ASSERT(cell == g.hashed.cell(*turn));
    RC_ASSERT(g.flat.turn(cell) == *turn);
    if (counts[*turn] != 0 && random_subnet::chance(random, 50)) {
      const bool gone = --counts[*turn] == 0;
      RC_ASSERT(g.flat.remove(cell) == gone);
      RC_ASSERT(g.hashed.remove(cell) == gone);
    } else {
      const bool fresh = counts[*turn]++ == 0;
      RC_ASSERT(g.flat.add(cell) == fresh);
      RC_ASSERT(g.hashed.add(cell) == fresh);
    }
    if (random_subnet::chance(random, 10)) {
      for (Dependencies* d : {&g.flat, &g.hashed}) {
        const std::uint16_t aside = d->set_aside(cell);
        RC_ASSERT(aside == counts[*turn]);
        RC_ASSERT(!d->has(cell));
        d->put_back(cell, aside);
      }
    }
  }
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  for (const Dependencies* d : {&g.flat, &g.hashed}) {
    RC_ASSERT(d->size() == counts.size());
    std::size_t seen = 0;
    d->for_each([&](const Turn& t) {
      ++seen;
      RC_ASSERT(counts.contains(t));
    });
    RC_ASSERT(seen == counts.size());
  }
}

/// Random turns are added and sometimes removed. The updated order reports a cycle exactly when a
/// search over all edges finds one.
RC_GTEST_PROP(TopologicalOrderProperty, SeesACycleWhenItCloses, ()) {
  random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
  Graphs g(random);
  Dependencies& graph = random_subnet::chance(random, 50) ? g.flat : g.hashed;
  TopologicalOrder order;
  RC_ASSERT(order.build(g.wiring, graph));
  std::vector<Turn> turns;
  reference::Edges edges;
  for (unsigned i = 0; i < 80; ++i) {
    if (!turns.empty() && random_subnet::chance(random, 20)) {
      const std::size_t at = random_subnet::below(random, static_cast<unsigned>(turns.size()));
      graph.remove(graph.cell(turns[at]));
      edges.erase(g.edge(turns[at]));
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const auto turn = g.any_turn(random);
    if (!turn) return;
    if (graph.has(graph.cell(*turn))) continue;
    graph.add(graph.cell(*turn));
    edges.insert(g.edge(*turn));
    const bool cyclic = reference::cyclic(edges);
    RC_ASSERT(order.insert(g.wiring, graph, *turn) == !cyclic);
    RC_ASSERT(order.holds() == !cyclic);
    const auto cycles = short_cycles(g.wiring, graph, 4);
    RC_ASSERT(cycles.empty() == !cyclic);
    if (!cyclic) {
      turns.push_back(*turn);
      continue;
    }
    for (const auto& cycle : cycles)
      for (std::size_t k = 0; k < cycle.size(); ++k) {
        const auto &a = cycle[k], &b = cycle[(k + 1) % cycle.size()];
        RC_ASSERT(edges.contains({{a.channel, a.vl}, {b.channel, b.vl}}));
      }
    graph.remove(graph.cell(*turn));
    edges.erase(g.edge(*turn));
    RC_ASSERT(order.build(g.wiring, graph));
  }
}

/// Many turns at random: one cycle of each strongly connected component that has some, and none in
/// that component is shorter.
RC_GTEST_PROP(ShortCycles, AreTheShortestOfTheirComponents, ()) {
  random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
  Graphs g(random);
  Dependencies& graph = random_subnet::chance(random, 50) ? g.flat : g.hashed;
  std::map<reference::Node, std::map<reference::Node, unsigned>> hops;  // the fewest, at least one
  for (unsigned i = 10 + random_subnet::below(random, 50); i > 0; --i)
    if (const auto turn = g.any_turn(random); turn && graph.add(graph.cell(*turn))) {
      const auto [from, to] = g.edge(*turn);
      hops[from][to] = 1;
      hops.try_emplace(to);
    }
  for (const auto& [by, unused] : hops)
    for (auto& [from, to] : hops)
      if (const auto first = to.find(by); first != to.end())
        for (const auto& [end, rest] : std::map(hops[by])) {
          const unsigned sum = first->second + rest;
          if (const auto [at, fresh] = to.try_emplace(end, sum); !fresh)
            at->second = std::min(at->second, sum);
        }
  const auto together = [&](const reference::Node& a, const reference::Node& b) {
    return hops[a].contains(b) && hops[b].contains(a);
  };
  std::map<reference::Node, unsigned> shortest;  // per component, under its first node
  for (const auto& [node, to] : hops) {
    if (!to.contains(node)) continue;
    const auto component =
        std::ranges::find_if(shortest, [&](const auto& c) { return together(c.first, node); });
    if (component == shortest.end())
      shortest[node] = to.at(node);
    else
      component->second = std::min(component->second, to.at(node));
  }
  RC_CLASSIFY(shortest.size() == 1, "one component");
  RC_CLASSIFY(shortest.size() > 1, "several");
  for (const unsigned most : {0u, 1u, 2u, 1000u})
    RC_ASSERT(short_cycles(g.wiring, graph, most).size() ==
              std::min<std::size_t>(most, shortest.size()));
  for (const auto& cycle : short_cycles(g.wiring, graph, 1000)) {
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      const auto &a = cycle[k], &b = cycle[(k + 1) % cycle.size()];
      RC_ASSERT((hops[{a.channel, a.vl}][{b.channel, b.vl}] == 1u));
    }
    const reference::Node any{cycle.at(0).channel, cycle.at(0).vl};
    const auto component =
        std::ranges::find_if(shortest, [&](const auto& c) { return together(c.first, any); });
    RC_ASSERT(component != shortest.end());
    RC_ASSERT(cycle.size() == component->second);
    shortest.erase(component);
  }
}

}  // namespace
