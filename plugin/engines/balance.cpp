// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balance.hpp"

#include <algorithm>

namespace selvedge {

Balancer::Balancer(const Fabric& fabric, const SwitchGraph& graph,
                   const std::vector<std::uint8_t>& ignored)
    : fabric_(fabric),
      graph_(graph),
      tables_(fabric),
      arc_of_(fabric.num_switch_channels(), kNoArc),
      load_(graph.num_arcs(), 0),
      used_(graph.num_arcs(), 0),
      path_load_(graph.num_switches(), 0),
      choice_(graph.num_switches(), kNoArc),
      carried_(graph.num_switches(), 0),
      column_(kColumns * graph.num_switches()) {
  for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of_[graph.channel[a]] = a;
  if (!ignored.empty())
    for (const Channel c : graph.channel) ignored_.push_back(ignored[c]);
  for (const Host& host : fabric.hosts()) has_other_lids_ = has_other_lids_ || host.lmc > 0;
  sources_.reserve(graph.num_switches());
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    sources_.push_back(static_cast<std::uint32_t>(fabric.hosts_at(s).size()));
}

void Balancer::route_lid(Lid lid, SwitchId destination, PortNum last, const NextHops& hops,
                         unsigned lmc) {
  make_room(2);
  PortNum* column = new_column(lid, hops);
  choose(hops, column);
  column[destination] = last;
  if (last != 0) add_loads(hops, (1u << kMaxLmc) >> lmc);
}

void Balancer::route_base(SwitchId destination, std::span<const HostId> hosts, bool own_lid,
                          const NextHops& hops) {
  const Lid own = fabric_.node(destination).lid;
  bool own_routed = own == kNoLid || !own_lid;
  for (const HostId h : hosts) {
    const Host& host = fabric_.host(h);
    if (host.lid == kNoLid) continue;
    route_lid(host.lid, destination, host.port, hops, host.lmc);
    if (own_routed) continue;
    // Little traffic goes to switches. So a switch LID copies the entries of the first host's LID,
    // and adds no load.
    const std::size_t n = graph_.num_switches();
    const PortNum* column = column_.data() + (columns_ - 1) * n;
    PortNum* copy = new_column(own, hops);
    std::copy_n(column, n, copy);
    copy[destination] = 0;
    own_routed = true;
  }
  if (!own_routed) route_lid(own, destination, 0, hops, 0);
}

void Balancer::route_other_lids(SwitchId destination, std::span<const HostId> hosts,
                                const NextHops& hops) {
  if (!base_written_) flush();  // the base LIDs' entries are read below
  base_written_ = true;
  for (const HostId h : hosts) {
    const Host& host = fabric_.host(h);
    if (host.lid == kNoLid || host.lmc == 0) continue;
    std::ranges::fill(used_, std::uint8_t{0});
    for (std::size_t i = 1; i < hops.order.size(); ++i) {
      const SwitchId x = hops.order[i];
      ++used_[arc_of_[fabric_.channel(x, tables_.next(x, host.lid))]];
    }
    for (unsigned offset = 1; offset < host.lid_count(); ++offset) {
      route_lid(static_cast<Lid>(host.lid + offset), destination, host.port, hops, host.lmc);
      for (std::size_t i = 1; i < hops.order.size(); ++i) ++used_[choice_[hops.order[i]]];
    }
  }
  std::ranges::fill(used_, std::uint8_t{0});
}

void Balancer::choose(const NextHops& hops, PortNum* column) {
  path_load_[hops.order[0]] = 0;
  for (std::size_t i = 1; i < hops.order.size(); ++i) {
    Arc best = hops.arcs[hops.first[i]];
    std::uint64_t best_load = load_[best] + path_load_[graph_.target[best]];
    for (std::uint32_t k = hops.first[i] + 1; k < hops.first[i + 1]; ++k) {
      const Arc a = hops.arcs[k];
      const std::uint64_t load = load_[a] + path_load_[graph_.target[a]];
      if (used_[a] < used_[best] || (used_[a] == used_[best] && load < best_load)) {
        best = a;
        best_load = load;
      }
    }
    const SwitchId x = hops.order[i];
    path_load_[x] = best_load;
    choice_[x] = best;
    column[x] = graph_.port[best];
  }
}

void Balancer::add_loads(const NextHops& hops, std::uint64_t share) {
  for (const SwitchId x : hops.order) carried_[x] = sources_[x];
  for (std::size_t i = hops.order.size() - 1; i > 0; --i) {
    const SwitchId x = hops.order[i];
    const Arc a = choice_[x];
    if (ignored_.empty() || ignored_[a] == 0) load_[a] += share * carried_[x];
    carried_[graph_.target[a]] += carried_[x];
  }
}

void Balancer::make_room(std::size_t columns) {
  if (columns_ + columns > kColumns) flush();
}

PortNum* Balancer::new_column(Lid lid, const NextHops& hops) {
  PortNum* column = column_.data() + columns_ * graph_.num_switches();
  column_lid_[columns_++] = lid;
  if (hops.order.size() < graph_.num_switches())
    std::fill_n(column, graph_.num_switches(), kNoPort);
  return column;
}

void Balancer::flush() {
  const std::size_t n = graph_.num_switches();
  for (SwitchId s = 0; s < n; ++s) {
    const std::span<PortNum> row = tables_.lft(s);
    for (std::size_t k = 0; k < columns_; ++k) row[column_lid_[k]] = column_[k * n + s];
  }
  columns_ = 0;
}

Tables Balancer::finish() && {
  flush();
  return std::move(tables_);
}

}  // namespace selvedge
