// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balanced/dimensions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plugin/fabric/union_find.hpp"

namespace selvedge::balanced {
namespace {

constexpr std::size_t kMost = 8;
constexpr std::uint64_t kSteps = 20'000'000;  // fabrics that would take more are not examined

/// Neighbours, each once, ascending, with one arc to each.
struct Neighbours {
  std::vector<std::vector<SwitchId>> of;
  std::vector<std::vector<Arc>> arc;

  explicit Neighbours(const SwitchGraph& graph)
      : of(graph.num_switches()), arc(graph.num_switches()) {
    for (SwitchId s = 0; s < graph.num_switches(); ++s) {
      std::map<SwitchId, Arc> first;
      for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) first.emplace(graph.target[a], a);
      for (const auto& [target, a] : first) {
        of[s].push_back(target);
        arc[s].push_back(a);
      }
    }
  }
  /// The index of b among the neighbours of a; their number if it is none.
  std::size_t find(SwitchId a, SwitchId b) const {
    const auto it = std::ranges::lower_bound(of[a], b);
    return it != of[a].end() && *it == b ? static_cast<std::size_t>(it - of[a].begin())
                                         : of[a].size();
  }
  bool joined(SwitchId a, SwitchId b) const { return find(a, b) < of[a].size(); }
};

/// Calls `use(s, i, j)` for every two neighbours i and j of every switch.
template <class Use>
void each_corner(const Neighbours& near, const Use& use) {
  for (SwitchId s = 0; s < near.of.size(); ++s)
    for (std::size_t i = 0; i < near.of[s].size(); ++i)
      for (std::size_t j = i + 1; j < near.of[s].size(); ++j) use(s, i, j);
}

/// Calls `use` for every square s–u–x–w without a diagonal, with the indices of x among the
/// neighbours of u and of w.
template <class Use>
void each_square(const Neighbours& near, SwitchId s, SwitchId u, SwitchId w, const Use& use) {
  if (near.joined(u, w)) return;
  for (std::size_t k = 0; k < near.of[u].size(); ++k) {
    const SwitchId x = near.of[u][k];
    const std::size_t from_w = near.find(w, x);
    if (x != s && from_w < near.of[w].size() && !near.joined(s, x)) use(k, from_w);
  }
}

/// Cables that follow each other in a straight line meet without a square. If two kinds never have
/// a square where they meet, or seldom, they are one dimension. Where they meet twice only, a
/// square may have lost its other two cables.
void unite_straight(const Neighbours& near, UnionFind& kind) {
  struct Meetings {
    std::size_t all = 0, square = 0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meetings> meetings;
  each_corner(near, [&](SwitchId s, std::size_t i, std::size_t j) {
    const std::uint32_t a = kind.root(near.arc[s][i]), b = kind.root(near.arc[s][j]);
    if (a == b) return;
    Meetings& of = meetings[std::minmax(a, b)];
    ++of.all;
    bool square = false;
    each_square(near, s, near.of[s][i], near.of[s][j],
                [&](std::size_t, std::size_t) { square = true; });
    of.square += square;
  });
  for (const auto& [kinds, of] : meetings)
    if (of.square == 0 ? of.all > 2 : of.square * 4 < of.all) kind.unite(kinds.first, kinds.second);
}

}  // namespace

std::vector<std::uint8_t> find_dimensions(const SwitchGraph& graph) {
  const Neighbours near(graph);
  std::uint64_t steps = 0;
  for (const auto& list : near.of) steps += list.size() * list.size() * list.size();
  if (steps > kSteps) return {};
  UnionFind kind(graph.num_arcs());
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
      // Parallel cables and both directions of a cable are alike.
      const SwitchId to = graph.target[a];
      kind.unite(a, near.arc[s][near.find(s, to)]);
      kind.unite(a, near.arc[to][near.find(to, s)]);
    }
  each_corner(near, [&](SwitchId s, std::size_t i, std::size_t j) {
    const SwitchId u = near.of[s][i], w = near.of[s][j];
    if (near.joined(u, w)) kind.unite(near.arc[s][i], near.arc[s][j]);
    each_square(near, s, u, w, [&](std::size_t from_u, std::size_t from_w) {
      kind.unite(near.arc[s][j], near.arc[u][from_u]);
      kind.unite(near.arc[s][i], near.arc[w][from_w]);
    });
  });
  unite_straight(near, kind);
  std::map<std::uint32_t, std::uint8_t> number;
  std::vector<std::uint8_t> dimension(graph.num_arcs());
  std::vector<std::size_t> switches(kMost, 0);
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    std::vector<bool> here(kMost, false);
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
      const auto it = number.emplace(kind.root(a), static_cast<std::uint8_t>(number.size())).first;
      if (it->second >= kMost) return {};
      dimension[a] = it->second;
      if (!here[it->second]) ++switches[it->second];
      here[it->second] = true;
    }
  }
  if (number.size() < 2) return {};
  for (std::size_t d = 0; d < number.size(); ++d)
    if (switches[d] * 2 < graph.num_switches()) return {};
  return dimension;
}

}  // namespace selvedge::balanced
