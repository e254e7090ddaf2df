// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/layers.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge::multipath {

Layers::Layers(const SwitchGraph& graph, std::span<const Arc> opposite, unsigned layers)
    : graph_(graph), opposite_(opposite), seen_(graph.num_arcs(), 0) {
  std::size_t edges = 0;
  first_.reserve(graph.num_arcs());
  for (Arc a = 0; a < graph.num_arcs(); ++a) {
    first_.push_back(edges);
    edges += graph.first[graph.target[a] + 1] - graph.first[graph.target[a]];
  }
  Layer empty;
  empty.edge.assign(edges, 0);
  empty.rank.resize(graph.num_arcs());
  std::iota(empty.rank.begin(), empty.rank.end(), 0u);
  layers_.assign(layers, empty);
}

bool Layers::insert(Layer& layer, Arc from, Arc to) {
  std::vector<std::uint32_t>& rank = layer.rank;
  if (rank[from] < rank[to]) return true;
  // All arcs after `to` up to the rank of `from`, and all before `from` down to the rank of `to`.
  later_.assign(1, to);
  seen_[to] = 1;
  bool cycle = from == to;
  for (std::size_t i = 0; i < later_.size() && !cycle; ++i) {
    const Arc a = later_[i];
    const SwitchId at = graph_.target[a];
    for (Arc b = graph_.first[at]; b < graph_.first[at + 1] && !cycle; ++b) {
      if (layer.edge[edge_of(a, b)] == 0 || seen_[b] != 0 || rank[b] > rank[from]) continue;
      cycle = b == from;
      seen_[b] = 1;
      later_.push_back(b);
    }
  }
  if (!cycle) {
    earlier_.assign(1, from);
    seen_[from] = 1;
    for (std::size_t i = 0; i < earlier_.size(); ++i) {
      const Arc b = earlier_[i];
      const SwitchId at = graph_.target[opposite_[b]];  // the switch that b leaves
      for (Arc out = graph_.first[at]; out < graph_.first[at + 1]; ++out) {
        const Arc a = opposite_[out];
        if (layer.edge[edge_of(a, b)] == 0 || seen_[a] != 0 || rank[a] < rank[to]) continue;
        seen_[a] = 1;
        earlier_.push_back(a);
      }
    }
    const auto by_rank = [&](Arc a, Arc b) { return rank[a] < rank[b]; };
    std::ranges::sort(later_, by_rank);
    std::ranges::sort(earlier_, by_rank);
    std::vector<std::uint32_t> places;
    places.reserve(later_.size() + earlier_.size());
    for (const Arc a : earlier_) places.push_back(rank[a]);
    for (const Arc a : later_) places.push_back(rank[a]);
    std::ranges::sort(places);
    std::size_t next = 0;
    for (const Arc a : earlier_) rank[a] = places[next++];
    for (const Arc a : later_) rank[a] = places[next++];
    for (const Arc a : earlier_) seen_[a] = 0;
  }
  for (const Arc a : later_) seen_[a] = 0;
  return !cycle;
}

bool Layers::add(unsigned layer, std::span<const Arc> path) {
  Layer& in = layers_[layer];
  const std::size_t before = mark();
  for (std::size_t i = 1; i < path.size(); ++i) {
    const std::size_t edge = edge_of(path[i - 1], path[i]);
    if (in.edge[edge] != 0) continue;
    if (!insert(in, path[i - 1], path[i])) {
      undo(before);
      return false;
    }
    in.edge[edge] = 1;
    log_.push_back({layer, edge});
  }
  return true;
}

void Layers::undo(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) layers_[log_.back().layer].edge[log_.back().edge] = 0;
}

}  // namespace selvedge::multipath
