// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Changes of a fabric for tests: the same network described differently (switches in another order,
// under other names and GUIDs, each with its ports rearranged), and a network with wrong cabling.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge::test {

struct Shuffled {
  Fabric fabric;
  std::vector<SwitchId> now;  // per old switch id: the new id
};

inline Shuffled shuffled(const Fabric& from, std::uint64_t seed) {
  StableRandom random(seed);
  Shuffled result;
  result.now.resize(from.num_switches());
  std::iota(result.now.begin(), result.now.end(), 0);
  random.shuffle(result.now);

  std::vector<SwitchId> old(from.num_switches());
  for (SwitchId s = 0; s < from.num_switches(); ++s) old[result.now[s]] = s;
  FabricBuilder builder;
  // [old switch][old port]: the new port.
  std::vector<std::vector<PortNum>> port(from.num_switches());
  for (SwitchId s = 0; s < from.num_switches(); ++s) {
    Switch node;
    node.guid = 0x7000 + random.below(1000) + 1000 * Guid{s};
    node.name = fmt::format("switch number {}", s);
    node.ports = from.node(old[s]).ports;
    builder.add_switch(node);
    auto& row = port[old[s]];
    row.resize(node.ports);
    std::iota(row.begin(), row.end(), PortNum{1});
    random.shuffle(row);
  }
  const auto there = [&](SwitchId s, PortNum p) { return port[s][p - 1u]; };
  for (const Channel c : from.links()) {
    const SwitchId a = from.switch_of(c), b = from.target(c);
    builder.connect(result.now[a], there(a, from.port_of(c)), result.now[b],
                    there(b, from.port_of(from.peer(c))));
  }
  for (const Host& old_host : from.hosts()) {
    Host host = old_host;
    host.port = there(host.at, host.port);
    host.at = result.now[host.at];
    builder.add_host(host);
  }
  result.fabric = std::move(builder).build("shuffled fabric");
  return result;
}

/// Two cables exchange one end each: a–b and c–d become a–d and c–b.
inline Fabric swap_cables(const Fabric& from, Channel first, Channel second) {
  FabricBuilder builder(from);
  const auto ends = [&](Channel c) { return std::pair(from.switch_of(c), from.port_of(c)); };
  const auto [a, ap] = ends(first);
  const auto [b, bp] = ends(from.peer(first));
  const auto [c, cp] = ends(second);
  const auto [d, dp] = ends(from.peer(second));
  builder.unplug(a, ap);
  builder.unplug(c, cp);
  builder.connect(a, ap, d, dp);
  builder.connect(c, cp, b, bp);
  return std::move(builder).build("swapped cables");
}

}  // namespace selvedge::test
