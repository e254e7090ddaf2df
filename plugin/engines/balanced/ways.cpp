// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balanced/ways.hpp"

#include <algorithm>

#include "plugin/engines/updn/up_down_phases.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge::balanced {

Ways::Ways(const SwitchGraph& graph)
    : switches_(graph.num_switches()),
      arcs_(graph.num_arcs()),
      bits_((switches_ * arcs_ + 63) / 64, 0),
      order_(switches_ * switches_, 0),
      reached_(switches_, 0) {}

/// `length`: per switch, by which ways lead nearer to the destination; or kFar.
void Ways::set_order(SwitchId to, std::span<const std::uint32_t> length) {
  const auto order = std::span(order_).subspan(std::size_t{to} * switches_, switches_);
  std::uint16_t count = 0;
  for (SwitchId s = 0; s < switches_; ++s)
    if (length[s] != kFar) order[count++] = static_cast<std::uint16_t>(s);
  std::ranges::stable_sort(order.first(count), {}, [&](std::uint16_t s) { return length[s]; });
  reached_[to] = count;
}

/// Permits the arcs that lead nearer to each destination, or only those of shortest paths.
Ways Ways::nearer(const SwitchGraph& graph, const std::vector<std::uint32_t>& arc_length,
                  bool shortest_only) {
  struct Into {
    SwitchId from;
    std::uint32_t length;
  };
  Ways ways(graph);
  std::vector<std::vector<Into>> into(graph.num_switches());
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a)
      into[graph.target[a]].push_back({s, arc_length[a]});
  // Lengths are small whole numbers: switches wait in a bucket for each length.
  std::vector<std::vector<SwitchId>> waiting;
  std::vector<std::uint32_t> length;
  for (SwitchId to = 0; to < graph.num_switches(); ++to) {
    length.assign(ways.switches_, kFar);
    length[to] = 0;
    waiting.assign(1, {to});
    for (std::size_t l = 0; l < waiting.size(); ++l)
      for (std::size_t i = 0; i < waiting[l].size(); ++i) {
        const SwitchId s = waiting[l][i];
        if (length[s] != l) continue;
        for (const Into& in : into[s]) {
          const auto there = static_cast<std::uint32_t>(l + in.length);
          if (there >= length[in.from]) continue;
          length[in.from] = there;
          if (waiting.size() <= there) waiting.resize(there + 1);
          waiting[there].push_back(in.from);
        }
      }
    for (SwitchId s = 0; s < graph.num_switches(); ++s) {
      if (length[s] == kFar) continue;
      for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
        const std::uint32_t there = length[graph.target[a]];
        if (shortest_only ? there + arc_length[a] == length[s] : there < length[s])
          ways.permit(to, a);
      }
    }
    ways.set_order(to, length);
  }
  return ways;
}

Ways Ways::shortest(const SwitchGraph& graph) {
  std::vector<std::uint32_t> length(graph.num_arcs());
  for (Arc a = 0; a < graph.num_arcs(); ++a) length[a] = graph.length(a);
  return nearer(graph, length, true);
}

Ways Ways::relaxed(const SwitchGraph& graph, std::uint64_t seed) {
  constexpr unsigned kOne = 10;  // a hop; it counts kOne to 3 · kOne
  StableRandom random(seed);
  std::vector<std::uint32_t> length(graph.num_arcs());
  for (Arc a = 0; a < graph.num_arcs(); ++a)
    length[a] = kOne * graph.length(a) + static_cast<std::uint32_t>(random.below(2 * kOne + 1));
  return nearer(graph, length, false);
}

Ways Ways::up_down(const SwitchGraph& graph, const Orientation& orientation) {
  Ways ways(graph);
  const SwitchGraph up_and_down = directed(graph, orientation.rank);
  std::vector<Arc> arc_of;  // per channel: its arc in `graph`
  for (Arc a = 0; a < graph.num_arcs(); ++a) {
    if (graph.channel[a] >= arc_of.size()) arc_of.resize(graph.channel[a] + 1, kNoArc);
    arc_of[graph.channel[a]] = a;
  }
  UpDownPhases phases(up_and_down, orientation);
  UpDownHops hops(up_and_down);
  std::vector<SwitchId> tile;
  std::vector<std::uint32_t> length(ways.switches_);
  for (SwitchId base = 0; base < ways.switches_; base += UpDownPhases::kTile) {
    tile.clear();
    for (SwitchId to = base; to < std::min(base + UpDownPhases::kTile, ways.switches_); ++to)
      tile.push_back(to);
    phases.compute(tile);
    for (std::size_t k = 0; k < tile.size(); ++k) {
      const std::span<const std::uint32_t> keys = phases.keys(k);
      for (const Arc a : hops.collect(keys).arcs)
        ways.permit(tile[k], arc_of[up_and_down.channel[a]]);
      for (SwitchId s = 0; s < ways.switches_; ++s)
        length[s] = keys[s] == UpDownPhases::kNone ? kFar : keys[s] / 2;
      ways.set_order(tile[k], length);
    }
  }
  return ways;
}

}  // namespace selvedge::balanced
