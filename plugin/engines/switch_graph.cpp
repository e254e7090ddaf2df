// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/switch_graph.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace selvedge {

SwitchGraph make_switch_graph(const Fabric& fabric, const std::vector<std::uint8_t>& weight) {
  SwitchGraph g;
  g.first.reserve(fabric.num_switches() + 1u);
  g.first.push_back(0);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    g.first_down.push_back(g.first.back());
    for (const Channel c : fabric.out(s)) {
      if (fabric.target(c) == s) continue;
      g.target.push_back(fabric.target(c));
      g.channel.push_back(c);
      g.port.push_back(fabric.port_of(c));
      if (weight.empty()) continue;
      g.weight.push_back(weight[c]);
      g.weight_back.push_back(weight[fabric.peer(c)]);
    }
    g.first.push_back(g.num_arcs());
  }
  return g;
}

SwitchGraph directed(const SwitchGraph& graph, const std::vector<std::uint32_t>& rank) {
  SwitchGraph g;
  g.first = graph.first;
  g.first_down.reserve(graph.num_switches());
  g.target.reserve(graph.num_arcs());
  g.channel.reserve(graph.num_arcs());
  g.port.reserve(graph.num_arcs());
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    for (const bool up : {true, false}) {
      if (!up) g.first_down.push_back(g.num_arcs());
      for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
        if ((rank[graph.target[a]] < rank[s]) != up) continue;
        g.target.push_back(graph.target[a]);
        g.channel.push_back(graph.channel[a]);
        g.port.push_back(graph.port[a]);
        if (graph.weight.empty()) continue;
        g.weight.push_back(graph.weight[a]);
        g.weight_back.push_back(graph.weight_back[a]);
      }
    }
  }
  return g;
}

Components components(const SwitchGraph& graph) {
  Components c;
  c.of.assign(graph.num_switches(), UINT32_MAX);
  c.members.reserve(graph.num_switches());
  c.first.push_back(0);
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    if (c.of[s] != UINT32_MAX) continue;
    const std::uint32_t id = c.count();
    c.of[s] = id;
    c.members.push_back(s);
    for (std::size_t next = c.first.back(); next < c.members.size(); ++next) {
      const SwitchId x = c.members[next];
      for (Arc a = graph.first[x]; a < graph.first[x + 1]; ++a) {
        const SwitchId y = graph.target[a];
        if (c.of[y] != UINT32_MAX) continue;
        c.of[y] = id;
        c.members.push_back(y);
      }
    }
    c.first.push_back(static_cast<std::uint32_t>(c.members.size()));
  }
  return c;
}

std::vector<std::uint64_t> distance_sums(const SwitchGraph& graph) {
  constexpr std::size_t kWords = 4;
  constexpr std::uint32_t kSources = kWords * 64;
  using Set = std::array<std::uint64_t, kWords>;  // a set of sources: a bit each

  const std::uint32_t n = graph.num_switches();
  std::vector<std::uint64_t> sums(n, 0);
  std::vector<Set> reached(n), fresh(n), arriving(n);
  std::vector<SwitchId> changed, touched;
  for (SwitchId base = 0; base < n; base += kSources) {
    std::ranges::fill(reached, Set{});
    changed.clear();
    for (SwitchId s = base; s < std::min(n, base + kSources); ++s) {
      reached[s][(s - base) / 64] |= std::uint64_t{1} << ((s - base) % 64);
      fresh[s] = reached[s];
      changed.push_back(s);
    }
    for (std::uint64_t distance = 1; !changed.empty(); ++distance) {
      touched.clear();
      for (const SwitchId x : changed)
        for (Arc a = graph.first[x]; a < graph.first[x + 1]; ++a) {
          Set& there = arriving[graph.target[a]];
          if (there == Set{}) touched.push_back(graph.target[a]);
          for (std::size_t w = 0; w < kWords; ++w) there[w] |= fresh[x][w];
        }
      changed.clear();
      for (const SwitchId x : touched) {
        // Distances are symmetric: a source that reaches x for the first time in this step is at
        // this distance from x too.
        unsigned learnt = 0;
        for (std::size_t w = 0; w < kWords; ++w) {
          fresh[x][w] = arriving[x][w] & ~reached[x][w];
          reached[x][w] |= fresh[x][w];
          learnt += static_cast<unsigned>(std::popcount(fresh[x][w]));
        }
        arriving[x] = Set{};
        if (learnt == 0) continue;
        sums[x] += distance * learnt;
        changed.push_back(x);
      }
    }
  }
  return sums;
}

}  // namespace selvedge
