// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "support.hpp"

#include <algorithm>

namespace selvedge::test {
namespace {

struct Socket {
  SwitchId at;
  PortNum port;
};

Sl2VlRow random_row(Dice& dice, bool drops) {
  Sl2VlRow row;
  for (Vl& vl : row) vl = static_cast<Vl>(drops && dice.one_in(12) ? kDropVl : dice.below(15));
  return row;
}

/// Sets the LFT entry of every switch for a LID to the port towards the destination on a random
/// tree.
void plant_tree(Dice& dice, const Fabric& f, Tables& t, Lid lid, SwitchId destination_switch,
                PortNum last) {
  std::vector<bool> known(f.num_switches());
  std::vector<SwitchId> frontier{destination_switch};
  known[destination_switch] = true;
  t.set_next(destination_switch, lid, last);
  while (!frontier.empty()) {
    const std::size_t at = dice.below(static_cast<unsigned>(frontier.size()));
    const SwitchId s = frontier[at];
    std::vector<Channel> fresh;
    for (const Channel c : f.out(s))
      if (!known[f.target(c)]) fresh.push_back(c);
    if (fresh.empty()) {
      frontier.erase(frontier.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const Channel back = f.peer(dice.pick(fresh));
    known[f.switch_of(back)] = true;
    t.set_next(f.switch_of(back), lid, f.port_of(back));
    frontier.push_back(f.switch_of(back));
  }
}

}  // namespace

Fabric random_fabric(Dice& dice, const SampleOptions& o) {
  FabricBuilder b;
  std::vector<Socket> sockets;
  for (unsigned s = 0; s < o.switches; ++s) {
    const auto ports = static_cast<PortNum>(1 + dice.below(9));
    b.add_switch({.guid = 0x1000u + s, .name = "S-" + std::to_string(s), .ports = ports});
    for (unsigned p = 1; p <= ports; ++p) sockets.push_back({s, static_cast<PortNum>(p)});
  }
  auto take_socket = [&] {
    std::swap(dice.pick(sockets), sockets.back());
    const Socket socket = sockets.back();
    sockets.pop_back();
    return socket;
  };
  std::vector<unsigned> owners(o.switches);  // unused: `order` below gives the order of the LIDs
  unsigned hosts = 0;
  for (unsigned h = 0; h < o.hosts && !sockets.empty(); ++h, ++hosts) {
    Host host{.guid = 0x2000u + h,
              .node_guid = 0x3000u + h / 2,
              .name = "H-" + std::to_string(h) + (dice.one_in(4) ? " \"mlx5_0\" \\ é" : ""),
              .ca_port = static_cast<PortNum>(1 + h % 2)};
    const Socket socket = take_socket();
    host.at = socket.at;
    host.port = socket.port;
    host.lmc = static_cast<std::uint8_t>(dice.below(o.lmc_max + 1));
    b.add_host(std::move(host));
  }
  for (unsigned i = 0; i < o.cables && sockets.size() >= 2; ++i) {
    const Socket x = take_socket(), y = take_socket();
    b.connect(x.at, x.port, y.at, y.port);
  }

  std::vector<std::pair<bool, unsigned>> order;
  for (unsigned s = 0; s < o.switches; ++s) order.emplace_back(false, s);
  for (unsigned h = 0; h < hosts; ++h) order.emplace_back(true, h);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[dice.below(static_cast<unsigned>(i))]);
  unsigned lid = 1;
  for (const auto& [is_host, id] : order) {
    if (dice.one_in(6)) continue;  // some nodes have no LID
    if (dice.one_in(6)) lid += dice.below(5);
    if (!is_host) {
      b.node(id).lid = static_cast<Lid>(lid++);
      continue;
    }
    const unsigned count = b.host(id).lid_count();
    lid = (lid + count - 1) / count * count;
    b.host(id).lid = static_cast<Lid>(lid);
    lid += count;
  }
  const Fabric whole = std::move(b).build("random");
  if (!o.faults) return whole;
  Fault fault;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (dice.one_in(8)) fault.switches.push_back(s);
  for (const Channel c : whole.links())
    if (dice.one_in(8)) fault.links.push_back(c);
  for (HostId h = 0; h < whole.num_hosts(); ++h)
    if (dice.one_in(8)) fault.links.push_back(whole.injection(h));
  return without(whole, fault);
}

Tables random_tables(Dice& dice, const Fabric& f, const SampleOptions& o) {
  Tables t(f);
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    if (!f.node(s).failed && f.node(s).lid != kNoLid) plant_tree(dice, f, t, f.node(s).lid, s, 0);
  for (HostId h = 0; h < f.num_hosts(); ++h) {
    const Host& host = f.host(h);
    for (unsigned i = 0; f.attached(h) && host.lid != kNoLid && i < host.lid_count(); ++i)
      plant_tree(dice, f, t, static_cast<Lid>(host.lid + i), host.at, host.port);
  }
  const bool sls = dice.one_in(2);
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    const unsigned ports = f.node(s).ports;
    for (unsigned i = 0; sls && i <= t.top_lid(); ++i)
      t.set_sl(s, static_cast<Lid>(i), static_cast<Sl>(dice.below(kSls)));
    if (dice.one_in(2)) t.sl2vl.set_all(s, random_row(dice, o.drops && dice.one_in(3)));
    if (f.node(s).failed) continue;  // has no tables
    for (unsigned i = 0; o.wrong_entries && i <= t.top_lid(); ++i)
      if (dice.one_in(20)) {
        const unsigned port = dice.below(ports + 2);
        t.set_next(s, static_cast<Lid>(i), port > ports ? kNoPort : static_cast<PortNum>(port));
      }
    for (unsigned i = 0; dice.one_in(2) && i < 6; ++i)
      t.sl2vl.set(s, static_cast<PortNum>(dice.below(ports + 1)),
                  static_cast<PortNum>(dice.below(ports + 1)), random_row(dice, o.drops));
  }
  if (o.drops && dice.one_in(4)) t.host_sl2vl = random_row(dice, true);
  for (unsigned g = 0; o.multicast && g < dice.below(3); ++g) {
    MulticastTree tree(f.num_switches());
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      for (unsigned p = 0; !f.node(s).failed && p <= f.node(s).ports; ++p)
        if (dice.one_in(3)) tree[s].set(p);
    if (std::ranges::any_of(tree, [](const PortSet& ports) { return ports.any(); }))
      t.mft[static_cast<Lid>(kMinMulticastLid + dice.below(100))] = tree;
  }
  return t;
}

}  // namespace selvedge::test
