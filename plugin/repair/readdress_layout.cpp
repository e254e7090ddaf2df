// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/readdress_layout.hpp"

namespace selvedge {

ReaddressLayout::ReaddressLayout(const Fabric& fabric)
    : to(fabric.num_switch_channels(), kNoSwitch),
      arrival(fabric.num_switch_channels(), 0),
      turn_first(fabric.num_switch_channels(), 0),
      start_first(fabric.num_switches(), 0),
      local(fabric.num_switches(), {0}),
      end_of(fabric.top_lid() + std::size_t{1}, kNoEnd),
      ends_at(fabric.num_switches()),
      has_hosts(fabric.num_switches(), false) {
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (!fabric.between_switches(c)) continue;
    to[c] = fabric.target(c);
    arrival[c] = fabric.port_of(fabric.peer(c));
    turn_first[c] = turns;
    turns += fabric.node(fabric.target(c)).ports + std::size_t{1};
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    ports.push_back(fabric.node(s).ports);
    first.push_back(fabric.channel(s, 0));
    start_first[s] = turns;
    turns += fabric.node(s).ports + std::size_t{1};
    for (const HostId h : fabric.hosts_at(s)) {
      local[s].push_back(fabric.host(h).port);
      has_hosts[s] = true;
    }
  }
  const auto add = [&](End end) {
    if (end.base == kNoLid || end.destination_switch == kNoSwitch) return;
    const auto number = static_cast<std::uint32_t>(ends.size());
    for (unsigned i = 0; i < end.lids; ++i) end_of[end.base + i] = number;
    ends_at[end.destination_switch].push_back(number);
    ends.push_back(end);
  };
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (fabric.attached(h))
      add({host.at, host.lid, static_cast<std::uint16_t>(host.lid_count()), true, h});
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed) add({s, fabric.node(s).lid, 1, false, s});
}

}  // namespace selvedge
