// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's core on a small fabric, with fake clients that only record the datagrams they get.
#pragma once

#include <fmt/format.h>

#include <map>
#include <vector>

#include "plugin/fabric/generators.hpp"
#include "sim/emulate/core.hpp"
#include "sim/emulate/hop_by_hop.hpp"

namespace selvedge::sim {

inline Mad make_smp(std::uint8_t method, std::uint16_t attribute, std::uint32_t modifier,
                    std::uint64_t transaction) {
  Mad m;
  m.bytes[0] = m.bytes[2] = 1;
  m.bytes[1] = mad_class::kSubnetLid;
  m.bytes[3] = method;
  m.set_transaction(transaction);
  put16(&m.bytes[16], attribute);
  put32(&m.bytes[20], modifier);
  return m;
}

/// An SMP with a directed route over these output ports.
inline Mad make_directed(std::uint8_t method, std::uint16_t attribute, std::uint32_t modifier,
                         std::uint64_t transaction, const std::vector<PortNum>& path) {
  Mad m = make_smp(method, attribute, modifier, transaction);
  m.bytes[1] = mad_class::kSubnetDirected;
  m.bytes[7] = static_cast<std::uint8_t>(path.size());
  put16(&m.bytes[32], kPermissiveLid);
  put16(&m.bytes[34], kPermissiveLid);
  for (std::size_t i = 0; i < path.size(); ++i)
    m.initial_path(static_cast<unsigned>(i + 1)) = path[i];
  return m;
}

inline MadDatagram make_datagram(const Mad& mad, Lid dlid = kPermissiveLid) {
  MadDatagram d;
  d.dlid = wire_lid(dlid);
  d.slid = wire_lid(mad.directed() ? kPermissiveLid : Lid{0});
  d.length = wire64(kMadBytes);
  d.mad = mad;
  return d;
}

//   H-0 port 1 ── S-0 port 1      one adapter with two ports, and another one
//   H-0 port 2 ── S-0 port 2
//   H-1 port 1 ── S-0 port 3
inline Fabric two_ports() {
  FabricBuilder builder;
  Switch sw;
  sw.guid = 0x10;
  sw.name = "S-0";
  sw.ports = 3;
  const SwitchId s = builder.add_switch(sw);
  const auto host = [&](Guid node, const char* name, PortNum ca_port, PortNum port) {
    Host h;
    h.node_guid = node;
    h.guid = node + ca_port;
    h.name = name;
    h.ca_port = ca_port;
    h.at = s;
    h.port = port;
    builder.add_host(h);
  };
  host(0x100, "H-0", 1, 1);
  host(0x100, "H-0", 2, 2);
  host(0x200, "H-1", 1, 3);
  return std::move(builder).build("a test");
}

struct FakeSubnet : ClientOutput {
  explicit FakeSubnet(const Fabric& fabric = torus({3, 3}), bool keep_lids = false,
                      const CoreSettings& settings = {})
      : subnet(fabric, keep_lids),
        transport(subnet, 1),
        core(subnet, transport, transport, *this, settings, 1) {}

  void deliver(ClientId c, const MadDatagram& d) override { boxes[c].push_back(d); }

  ClientId connect(std::uint32_t pid, const std::string& host = {}, bool is_sm = false) {
    ClientInfo info;
    info.id = pid;
    info.is_sm = is_sm;
    std::copy(host.begin(), host.end(), info.node.begin());
    return core.connect(info, why);
  }
  /// Sends a MAD, and returns the datagrams that this client has got.
  std::vector<MadDatagram> ask(ClientId c, const Mad& mad, Lid dlid = kPermissiveLid) {
    core.from_client(c, make_datagram(mad, dlid));
    return take(c);
  }
  std::vector<MadDatagram> take(ClientId c) { return std::exchange(boxes[c], {}); }
  void pass(std::int64_t ms) {
    for (const Nanoseconds end = core.now() + std::chrono::milliseconds(ms); core.now() < end;) {
      const auto next = core.deadline();
      core.set_now(next && *next < end ? std::max(*next, core.now()) : end);
      core.on_time();
    }
  }
  /// Brings the subnet up as a manager would: LIDs as in `fabric`, LFTs with shortest paths, ports
  /// active.
  void bring_up(const Fabric& fabric, Lid sm_lid);

  EmulatedSubnet subnet;
  HopByHop transport;
  Core core;
  std::map<ClientId, std::vector<MadDatagram>> boxes;
  std::string why;
};

inline void FakeSubnet::bring_up(const Fabric& fabric, Lid sm_lid) {
  const auto activate = [&](PortAt at, Lid lid) {
    Sma& agent = subnet.agent(at.node);
    Attribute info;
    for (const unsigned state : {3U, 4U}) {
      agent.port(at.port).read(info.data(), at.port);
      const bool management = agent.is_switch() && at.port == 0;
      info[32] = static_cast<std::uint8_t>((info[32] & 0xf0U) | (management ? 0U : state));
      info[33] &= 0xfU;
      put16(&info[16], lid);
      put16(&info[18], sm_lid);
      info[51] = 15;  // SubnetTimeOut: 134 ms
      std::uint16_t changes = 0;
      agent.port(at.port).write(info.data(), changes);
    }
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    Sma& agent = subnet.agent(s);
    activate({s, 0}, fabric.node(s).lid);
    for (unsigned p = 1; p <= agent.num_ports(); ++p)
      if (subnet.up({s, static_cast<PortNum>(p)})) activate({s, static_cast<PortNum>(p)}, 0);
    // Shortest paths, by a search from each LID's switch.
    Attribute info{};
    put16(&info[6], fabric.top_lid());
    SmaChange change;
    agent.execute({mad_method::kSet, smp_attribute::kSwitchInfo, 0, 0, 1, 0}, info.data(), change);
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    activate(subnet.find_host(fmt::format("0x{:x}", fabric.host(h).guid)), fabric.host(h).lid);
  std::vector<std::vector<std::uint8_t>> lfts(
      fabric.num_switches(), std::vector<std::uint8_t>(fabric.top_lid() / 64 * 64 + 64, kNoPort));
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
    const LidOwner owner = fabric.owner(static_cast<Lid>(lid));
    if (owner.kind == LidOwner::Kind::kUnassigned) continue;
    const bool host = owner.kind == LidOwner::Kind::kHost;
    std::vector<SwitchId> list{host ? fabric.host(owner.id).at : owner.id};
    lfts[list[0]][lid] = host ? fabric.host(owner.id).port : PortNum{0};
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const Channel c : fabric.out(list[i])) {
        const SwitchId to = fabric.target(c);
        if (lfts[to][lid] != kNoPort) continue;
        lfts[to][lid] = fabric.port_of(fabric.peer(c));
        list.push_back(to);
      }
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (std::size_t block = 0; block * 64 < lfts[s].size(); ++block) {
      SmaChange change;
      subnet.agent(s).execute({mad_method::kSet, smp_attribute::kLinearForwarding,
                               static_cast<std::uint32_t>(block), 0, 1, 0},
                              &lfts[s][block * 64], change);
    }
}

}  // namespace selvedge::sim
