// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/unit/verify/random_subnet.hpp"

#include <algorithm>
#include <deque>
#include <string>

namespace random_subnet {

using namespace selvedge;

Fabric fabric(Random& random, unsigned switches_max) {
  FabricBuilder builder;
  const unsigned switches = 1 + below(random, switches_max);
  std::vector<std::pair<SwitchId, PortNum>> sockets;
  for (SwitchId s = 0; s < switches; ++s) {
    Switch node;
    node.name = "S-" + std::to_string(s);
    node.ports = static_cast<PortNum>(2 + below(random, 6));
    builder.add_switch(node);
    for (unsigned p = 1; p <= node.ports; ++p) sockets.emplace_back(s, static_cast<PortNum>(p));
  }
  std::shuffle(sockets.begin(), sockets.end(), random);
  auto take = [&] {
    const auto socket = sockets.back();
    sockets.pop_back();
    return socket;
  };
  const unsigned hosts =
      below(random, std::min<unsigned>(6, static_cast<unsigned>(sockets.size())) + 1);
  Lid lid = 1;
  for (unsigned h = 0; h < hosts; ++h) {
    const auto [s, port] = take();
    Host host;
    host.name = "H-" + std::to_string(h);
    host.at = s;
    host.port = port;
    host.lmc = static_cast<std::uint8_t>(below(random, 3));
    const unsigned span = 1u << host.lmc;
    if (!chance(random, 3)) {  // else it has no LID
      lid = static_cast<Lid>((lid + span - 1) / span * span);
      host.lid = lid;
      lid = static_cast<Lid>(lid + span);
    }
    builder.add_host(host);
  }
  for (SwitchId s = 0; s < switches; ++s) {
    if (chance(random, 10)) ++lid;  // a LID that nobody owns
    if (!chance(random, 5)) builder.node(s).lid = lid++;
  }
  const std::size_t spare = below(random, 3);
  while (sockets.size() >= 2 + spare) {
    const auto a = take(), b = take();
    builder.connect(a.first, a.second, b.first, b.second);
  }
  return std::move(builder).build("random");
}

Style style(Random& random) {
  Style s;
  s.shortest = chance(random, 60);
  s.sls = chance(random, 40) ? 1 : 1 + below(random, 4);
  s.vls = static_cast<Style::Vls>(below(random, 4));
  s.multicast = chance(random, 30);
  return s;
}

namespace {

Sl2VlRow row(const Style& style, Random& random) {
  Sl2VlRow r{};
  for (unsigned sl = 0; sl < kSls; ++sl) {
    if (style.vls == Style::Vls::kBySl) r[sl] = static_cast<Vl>(sl % 3);
    if (style.vls >= Style::Vls::kRandomRows) r[sl] = static_cast<Vl>(below(random, 2));
    if (style.vls == Style::Vls::kDropping && chance(random, 5)) r[sl] = kDropVl;
  }
  return r;
}

/// For each switch the channel towards the root, on a shortest path chosen at random.
std::vector<Channel> tree_to(const Fabric& fabric, SwitchId root, Random& random) {
  std::vector<Channel> towards(fabric.num_switches(), kNoChannel);
  std::vector<bool> seen(fabric.num_switches(), false);
  seen[root] = true;
  std::deque<SwitchId> queue{root};
  while (!queue.empty()) {
    const SwitchId s = queue.front();
    queue.pop_front();
    std::vector<Channel> out(fabric.out(s).begin(), fabric.out(s).end());
    std::shuffle(out.begin(), out.end(), random);
    for (const Channel c : out) {
      const SwitchId t = fabric.target(c);
      if (seen[t]) continue;
      seen[t] = true;
      towards[t] = fabric.peer(c);
      queue.push_back(t);
    }
  }
  return towards;
}

/// A random spanning tree: for each switch its channels in the tree.
std::vector<std::vector<Channel>> spanning_tree(const Fabric& fabric, Random& random) {
  std::vector<std::vector<Channel>> branches(fabric.num_switches());
  std::vector<bool> seen(fabric.num_switches(), false);
  for (SwitchId root = 0; root < fabric.num_switches(); ++root) {
    if (seen[root]) continue;
    const auto towards = tree_to(fabric, root, random);
    seen[root] = true;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (towards[s] == kNoChannel) continue;
      seen[s] = true;
      branches[s].push_back(towards[s]);
      branches[fabric.target(towards[s])].push_back(fabric.peer(towards[s]));
    }
  }
  return branches;
}

void route_lid(const Fabric& fabric, Lid dlid, const std::vector<std::vector<Channel>>* branches,
               Tables& tables, Random& random) {
  const SwitchId destination_switch = fabric.destination_switch(dlid);
  if (destination_switch == kNoSwitch) return;
  const LidOwner who = fabric.owner(dlid);
  tables.set_next(destination_switch, dlid,
                  who.kind == LidOwner::Kind::kHost ? fabric.host(who.id).port : 0);
  if (branches == nullptr) {
    const auto towards = tree_to(fabric, destination_switch, random);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (towards[s] != kNoChannel) tables.set_next(s, dlid, fabric.port_of(towards[s]));
    return;
  }
  std::vector<SwitchId> queue{destination_switch};
  std::vector<bool> seen(fabric.num_switches(), false);
  seen[destination_switch] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : (*branches)[queue[i]]) {
      if (seen[fabric.target(c)]) continue;
      seen[fabric.target(c)] = true;
      tables.set_next(fabric.target(c), dlid, fabric.port_of(fabric.peer(c)));
      queue.push_back(fabric.target(c));
    }
}

void disturb_once(const Fabric& f, const Style& style, Tables& t, Random& random) {
  const SwitchId s = below(random, f.num_switches());
  const unsigned ports = f.node(s).ports;
  auto any_port = [&] { return static_cast<PortNum>(below(random, ports + 1)); };
  const auto dlid = static_cast<Lid>(t.top_lid() == 0 ? 0 : 1 + below(random, t.top_lid()));
  switch (below(random, 10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      t.set_next(s, dlid,
                 chance(random, 15)   ? kNoPort
                 : chance(random, 10) ? static_cast<PortNum>(ports + 1)
                                      : any_port());
      return;
    case 4:
    case 5:
      t.set_sl(s, dlid, static_cast<Sl>(below(random, chance(random, 10) ? kSls : style.sls)));
      return;
    case 6:
      if (style.vls != Style::Vls::kOne || chance(random, 10))
        t.sl2vl.set(s, any_port(), any_port(), row(style, random));
      return;
    case 7:
      if (chance(random, 10)) t.sl2vl.set_all(s, row(style, random));
      if (chance(random, 5)) t.host_sl2vl = row(style, random);
      return;
    case 8:
      if (style.multicast) {
        MulticastTree& tree = t.mft[static_cast<Lid>(kMinMulticastLid + below(random, 2))];
        tree.resize(f.num_switches());
        tree[s].flip(below(random, ports + 2));
      }
      return;
    default:  // changes every entry of a path
      for (SwitchId x = 0; x < f.num_switches(); ++x)
        if (chance(random, 40))
          t.set_next(x, dlid, static_cast<PortNum>(below(random, f.node(x).ports + 1u)));
  }
}

}  // namespace

Tables route(const Fabric& fabric, const Style& style, Random& random) {
  Tables tables(fabric);
  const auto branches = spanning_tree(fabric, random);
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
    route_lid(fabric, static_cast<Lid>(lid), style.shortest ? nullptr : &branches, tables, random);
    for (SwitchId s = 0; style.sls > 1 && s < fabric.num_switches(); ++s)
      tables.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>(below(random, style.sls)));
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (style.vls == Style::Vls::kBySl) tables.sl2vl.set_all(s, row(style, random));
    if (style.vls < Style::Vls::kRandomRows) continue;
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= fabric.node(s).ports; ++out)
        if (chance(random, 30))
          tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out),
                           row(style, random));
  }
  if (style.multicast) {
    MulticastTree& tree = tables.mft[kMinMulticastLid];
    tree.resize(fabric.num_switches());
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      for (const Channel c : branches[s]) tree[s].set(fabric.port_of(c));
      for (const HostId h : fabric.hosts_at(s)) tree[s].set(fabric.host(h).port);
      if (chance(random, 50)) tree[s].set(0);
    }
  }
  return tables;
}

void disturb(const Fabric& fabric, const Style& style, Tables& tables, unsigned times,
             Random& random) {
  for (unsigned i = 0; i < times; ++i) disturb_once(fabric, style, tables, random);
}

void spare(const Fabric& fabric, Tables& tables, Random& random) {
  for (const Host& host : fabric.hosts())
    for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i) {
      if (!chance(random, 30)) continue;
      const auto lid = static_cast<Lid>(host.lid + i);
      tables.set_spare(lid);
      for (SwitchId s = 0; s < fabric.num_switches(); ++s)
        if (chance(random, 60)) tables.set_next(s, lid, kNoPort);
    }
}

Fault fault(const Fabric& fabric, Random& random) {
  Fault fault;
  if (chance(random, 30) || (fabric.links().empty() && fabric.num_hosts() == 0)) {
    fault.switches.push_back(below(random, fabric.num_switches()));
  } else if (fabric.links().empty() || chance(random, 20)) {
    const HostId h = below(random, std::max(1u, fabric.num_hosts()));
    if (fabric.num_hosts() != 0 && fabric.attached(h)) fault.links.push_back(fabric.injection(h));
  } else {
    fault.links.push_back(
        fabric.links()[below(random, static_cast<unsigned>(fabric.links().size()))]);
  }
  return fault;
}

Disturbed disturbed(Random& random, unsigned switches_max, unsigned changes,
                    unsigned fault_percent) {
  const Fabric whole = fabric(random, switches_max);
  const Style drawn = style(random);
  Tables tables = route(whole, drawn, random);
  disturb(whole, drawn, tables, changes, random);
  const bool fails = chance(random, fault_percent);
  return {fails ? without(whole, fault(whole, random)) : whole, std::move(tables)};
}

}  // namespace random_subnet
