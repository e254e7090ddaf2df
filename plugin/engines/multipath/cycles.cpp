// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/cycles.hpp"

#include <algorithm>

namespace selvedge::multipath {
namespace {

std::uint32_t degree(const SimpleGraph& graph, SwitchId s) {
  return graph.first[s + 1] - graph.first[s];
}

/// A breadth-first search from one switch; `before` has, per switch found, the edge that led to it.
class BreadthFirst {
 public:
  explicit BreadthFirst(const SimpleGraph& graph)
      : graph_(graph), found_(graph.num_switches(), 0), before_(graph.num_switches(), kNoEdge) {}

  /// Searches from `root` without crossing `barred` in either direction, until `goal` is found.
  void run(SwitchId root, Edge barred, SwitchId goal) {
    for (const SwitchId s : queue_) found_[s] = 0;
    queue_.assign(1, root);
    found_[root] = 1;
    before_[root] = kNoEdge;
    for (std::size_t i = 0; i < queue_.size() && (goal == kNoSwitch || found_[goal] == 0); ++i)
      for (Edge e = graph_.first[queue_[i]]; e < graph_.first[queue_[i] + 1]; ++e) {
        const SwitchId next = graph_.target[e];
        if (found_[next] != 0 || e == barred || graph_.reverse[e] == barred) continue;
        found_[next] = 1;
        before_[next] = e;
        queue_.push_back(next);
      }
  }
  Edge before(SwitchId s) const { return before_[s]; }

 private:
  const SimpleGraph& graph_;
  std::vector<std::uint8_t> found_;
  std::vector<Edge> before_;
  std::vector<SwitchId> queue_;
};

/// Algorithm 1: the edges beside the tree, each once, from its lower switch; ascending.
std::vector<Edge> back_edges(const SimpleGraph& graph, const Components& pieces, std::uint32_t c,
                             BreadthFirst& search) {
  const auto begin = pieces.members.begin() + pieces.first[c];
  const auto end = pieces.members.begin() + pieces.first[c + 1];
  SwitchId root = *begin;
  for (auto s = begin; s != end; ++s)
    if (degree(graph, *s) > degree(graph, root) ||
        (degree(graph, *s) == degree(graph, root) && *s < root))
      root = *s;
  search.run(root, kNoEdge, kNoSwitch);
  std::vector<std::pair<std::pair<SwitchId, SwitchId>, Edge>> found;
  for (auto s = begin; s != end; ++s)
    for (Edge e = graph.first[*s]; e < graph.first[*s + 1]; ++e) {
      const SwitchId other = graph.target[e];
      if (*s < other && search.before(other) != e && search.before(*s) != graph.reverse[e])
        found.push_back({{*s, other}, e});
    }
  std::ranges::sort(found);
  std::vector<Edge> edges;
  edges.reserve(found.size());
  for (const auto& [ends, e] : found) edges.push_back(e);
  return edges;
}

}  // namespace

Edge SimpleGraph::between(SwitchId from, SwitchId to) const {
  for (Edge e = first[from]; e < first[from + 1]; ++e)
    if (target[e] == to) return e;
  return kNoEdge;
}

SimpleGraph make_simple_graph(const SwitchGraph& graph) {
  SimpleGraph simple;
  simple.first.assign(1, 0);
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
      const auto mine = simple.target.begin() + simple.first[s];
      if (std::find(mine, simple.target.end(), graph.target[a]) != simple.target.end()) {
        simple.unused.push_back(a);
        continue;
      }
      simple.target.push_back(graph.target[a]);
      simple.arc.push_back(a);
    }
    simple.first.push_back(simple.num_edges());
  }
  simple.reverse.resize(simple.num_edges());
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    for (Edge e = simple.first[s]; e < simple.first[s + 1]; ++e)
      simple.reverse[e] = simple.between(simple.target[e], s);
  return simple;
}

std::uint32_t Cycles::most() const {
  std::size_t most = 0;
  for (const auto& cycles : of) most = std::max(most, cycles.size());
  return static_cast<std::uint32_t>(most);
}

Cycles find_cycles(const SimpleGraph& graph, const Components& pieces) {
  Cycles cycles;
  cycles.of.resize(pieces.count());
  cycles.list.resize(graph.num_edges());
  BreadthFirst search(graph);
  std::vector<Edge> way;
  for (std::uint32_t c = 0; c < pieces.count(); ++c)
    for (const Edge back : back_edges(graph, pieces, c, search)) {
      // Algorithm 2: the shortest way from the far end home that avoids the edge itself. The first
      // leaf in the paper's path tree is the one that a breadth-first search finds first.
      const SwitchId home = graph.target[graph.reverse[back]];
      search.run(graph.target[back], back, home);
      way.clear();
      for (SwitchId s = home; search.before(s) != kNoEdge;
           s = graph.target[graph.reverse[search.before(s)]])
        way.push_back(search.before(s));
      way.push_back(back);
      std::ranges::reverse(way);
      const auto number = static_cast<std::int32_t>(cycles.of[c].size() + 1);
      std::vector<SwitchId>& cycle = cycles.of[c].emplace_back(1, home);
      for (const Edge e : way) {
        cycle.push_back(graph.target[e]);
        cycles.list[e].push_back(number);
        cycles.list[graph.reverse[e]].push_back(-number);
      }
    }
  return cycles;
}

}  // namespace selvedge::multipath
