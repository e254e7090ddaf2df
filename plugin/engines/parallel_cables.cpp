// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/parallel_cables.hpp"

#include <algorithm>
#include <tuple>

namespace selvedge {

NeighbourGraph neighbour_graph(const SwitchGraph& cables) {
  NeighbourGraph n;
  SwitchGraph& graph = n.graph;
  graph.first.push_back(0);
  std::vector<Arc> group(cables.num_switches(), kNoArc);  // per neighbour of the current switch
  std::vector<std::vector<Arc>> members;                  // per arc of the current switch
  for (SwitchId s = 0; s < cables.num_switches(); ++s) {
    members.clear();
    Arc up = 0;
    for (Arc a = cables.first[s]; a < cables.first[s + 1]; ++a) {
      Arc& of = group[cables.target[a]];
      if (of == kNoArc) {
        of = static_cast<Arc>(members.size());
        members.emplace_back();
        up += a < cables.first_down[s] ? 1 : 0;
      }
      members[of].push_back(a);
    }
    graph.first_down.push_back(graph.first.back() + up);
    for (const std::vector<Arc>& parallel : members) {
      const Arc a = parallel.front();
      group[cables.target[a]] = kNoArc;
      graph.target.push_back(cables.target[a]);
      graph.channel.push_back(cables.channel[a]);
      graph.port.push_back(cables.port[a]);
      n.first_cable.push_back(static_cast<Arc>(n.cable.size()));
      n.cable.insert(n.cable.end(), parallel.begin(), parallel.end());
    }
    graph.first.push_back(graph.num_arcs());
  }
  n.first_cable.push_back(static_cast<Arc>(n.cable.size()));
  return n;
}

CableChoice::CableChoice(const Fabric& fabric, const SwitchGraph& cables,
                         const NeighbourGraph& neighbours)
    : fabric_(fabric),
      cables_(cables),
      neighbours_(neighbours),
      load_(cables.num_arcs()),
      traffic_(cables.num_switches()) {}

Columns CableChoice::choose(SwitchId destination, Columns columns) {
  if (neighbours_.all_single()) {
    // With one cable for each hop there is no choice; only the numbers of the arcs may differ.
    for (Arc& arc : columns.next)
      if (arc != kNoArc) arc = neighbours_.cable[arc];
    return columns;
  }
  const SwitchId switches = cables_.num_switches();
  std::vector<unsigned> uses(cables_.num_arcs(), 0);  // columns towards this destination
  std::vector<Arc> chosen(columns.next.size(), kNoArc);
  // Disjoint paths first: they need distinct cables, while any other path may take any cable.
  for (const bool disjoint : {true, false}) {
    for (unsigned column = 0; column < columns.used; ++column) {
      add_up_traffic(columns, column);
      for (SwitchId s = 0; s < switches; ++s) {
        const std::size_t at = std::size_t{s} * columns.stride + column;
        const Arc arc = columns.next[at];
        if (arc == kNoArc) continue;
        const bool last_hop = neighbours_.graph.target[arc] == destination;
        if ((last_hop && !columns.chosen.empty() && columns.chosen[at] != 0) != disjoint) continue;
        const Arc cable = chosen[at] = least_loaded(arc, column, uses);
        if (last_hop) ++uses[cable];
        if (column == 0) load_[cable].base += traffic_[s];
        load_[cable].all += traffic_[s];
      }
    }
  }
  columns.next = std::move(chosen);
  return columns;
}

void CableChoice::add_up_traffic(const Columns& columns, unsigned column) {
  const SwitchId switches = cables_.num_switches();
  for (SwitchId s = 0; s < switches; ++s) traffic_[s] = fabric_.hosts_at(s).size();
  const SwitchId* order = columns.order.data() + std::size_t{column} * switches;
  for (SwitchId i = switches; i-- > 0;) {
    if (order[i] == kNoSwitch) continue;
    const Arc arc = columns.next[std::size_t{order[i]} * columns.stride + column];
    traffic_[neighbours_.graph.target[arc]] += traffic_[order[i]];
  }
}

Arc CableChoice::least_loaded(Arc arc, unsigned column, const std::vector<unsigned>& uses) const {
  const auto rank = [&](Arc cable) {
    const Load& load = load_[cable];
    return std::tuple(uses[cable], column == 0 ? load.base : load.all, load.all, cable);
  };
  return *std::min_element(neighbours_.cable.begin() + neighbours_.first_cable[arc],
                           neighbours_.cable.begin() + neighbours_.first_cable[arc + 1],
                           [&](Arc a, Arc b) { return rank(a) < rank(b); });
}

}  // namespace selvedge
