// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random fabrics for rapidcheck, of every kind that the code must handle. Some are irregular
// graphs: with parallel cables and cables from a switch to itself, several hosts a switch and none,
// adapters with two ports, unattached hosts, and several components. Others are small tori, meshes
// and trees. All have LIDs, with an LMC of 0 to 3. A fabric is made from a few numbers, which
// rapidcheck shrinks, and a seed.
//
//   RC_GTEST_PROP(Room, what_holds, ()) {
//     const Fabric fabric = *test::any_fabric();
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge {

/// How rapidcheck prints a counter-example.
inline void showValue(const Fabric& fabric, std::ostream& out) {
  out << fabric.num_switches() << " switches, " << fabric.num_hosts() << " hosts, LMC "
      << (fabric.num_hosts() > 0 ? unsigned{fabric.host(0).lmc} : 0u) << "; cables";
  for (const Channel c : fabric.links())
    out << ' ' << fabric.port_name(c) << "--" << fabric.port_name(fabric.peer(c));
  out << "; hosts";
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    out << ' ' << host.name << (fabric.attached(h) ? "@" : "(loose)@");
    if (host.at != kNoSwitch) out << fabric.node(host.at).name << ':' << unsigned{host.port};
  }
}

}  // namespace selvedge

namespace selvedge::test {

/// The irregularities that a random irregular fabric may have.
struct Oddities {
  bool parallel = true;    // several cables between two switches, and from a switch to itself
  bool pieces = true;      // not connected; switches without any cable
  bool two_ports = true;   // adapters cabled twice (their ports are consecutive hosts)
  bool unattached = true;  // hosts whose cable is gone
};

struct RandomShape {
  unsigned switches;      // ≥ 1
  unsigned extra_cables;  // cables besides those of a spanning tree
  unsigned host_ports;
  unsigned lmc;
  std::uint64_t seed;
};

/// A random irregular fabric, which depends only on these numbers.
inline Fabric random_irregular(const RandomShape& shape, const Oddities& odd) {
  StableRandom random(shape.seed);
  const unsigned spare = random.chance(30) ? 1 : 0;  // unused ports at the end
  std::vector<std::pair<SwitchId, SwitchId>> cables;
  const auto adjacent = [&](SwitchId a, SwitchId b) {
    for (const auto& [x, y] : cables)
      if ((x == a && y == b) || (x == b && y == a)) return true;
    return false;
  };
  for (SwitchId s = 1; s < shape.switches; ++s)  // a spanning tree; with odd.pieces, a forest
    if (!odd.pieces || !random.chance(8))
      cables.emplace_back(static_cast<SwitchId>(random.below(s)), s);
  for (unsigned i = 0; i < shape.extra_cables; ++i) {
    const auto a = static_cast<SwitchId>(random.below(shape.switches));
    const auto b = static_cast<SwitchId>(random.below(shape.switches));
    if (!odd.parallel && (a == b || adjacent(a, b))) continue;
    if (a == b && !random.chance(10)) continue;
    cables.emplace_back(a, b);
  }
  random.shuffle(cables);

  std::vector<SwitchId> at;  // the switch of each host
  for (unsigned h = 0; h < shape.host_ports; ++h)
    at.push_back(static_cast<SwitchId>(random.below(shape.switches)));

  // At each switch, cables and hosts get port numbers in random order.
  std::vector<unsigned> degree(shape.switches, spare);
  for (const auto& [a, b] : cables) ++degree[a], ++degree[b];
  for (const SwitchId s : at) ++degree[s];
  FabricBuilder builder;
  std::vector<std::vector<PortNum>> free(shape.switches);
  for (SwitchId s = 0; s < shape.switches; ++s) {
    Switch node;
    node.guid = 0x1000 + s;
    node.name = fmt::format("S-{}", s);
    node.ports = static_cast<PortNum>(degree[s]);
    builder.add_switch(node);
    for (unsigned p = 1; p <= degree[s]; ++p) free[s].push_back(static_cast<PortNum>(p));
    random.shuffle(free[s]);
  }
  const auto port = [&](SwitchId s) {
    const PortNum p = free[s].back();
    free[s].pop_back();
    return p;
  };
  for (const auto& [a, b] : cables) {
    const PortNum pa = port(a);
    builder.connect(a, pa, b, port(b));
  }
  for (unsigned h = 0, node = 0; h < at.size(); ++node) {
    const unsigned ports = odd.two_ports && h + 1 < at.size() && random.chance(20) ? 2 : 1;
    for (unsigned p = 1; p <= ports; ++p, ++h) {
      Host host;
      host.node_guid = 0x200000 + 16 * Guid{node};
      host.guid = host.node_guid + p;
      host.name = fmt::format("H-{}", node);
      host.ca_port = static_cast<PortNum>(p);
      host.at = at[h];
      host.port = port(at[h]);
      builder.add_host(host);
    }
  }
  Fabric fabric = std::move(builder).build("random fabric");
  Fault fault;
  if (odd.unattached)
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      if (random.chance(4)) fault.links.push_back(fabric.injection(h));
  return assign_lids(fault.empty() ? fabric : without(fabric, fault), shape.lmc);
}

/// Irregular fabrics with up to about `max_switches` switches; their size grows with rapidcheck's
/// size parameter.
inline rc::Gen<Fabric> irregular_fabric(Oddities odd = {}, unsigned max_switches = 24) {
  const auto numbers =
      rc::gen::tuple(rc::gen::inRange(1u, max_switches + 1), rc::gen::inRange(0u, 2 * max_switches),
                     rc::gen::inRange(0u, 2 * max_switches), rc::gen::inRange(0u, 4u),
                     rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
  return rc::gen::map(numbers, [odd](const auto& drawn) {
    const auto& [switches, extra, hosts, lmc, seed] = drawn;
    return random_irregular({switches, extra, hosts, lmc, seed}, odd);
  });
}

/// Small tori, meshes, trees and folded Clos networks, LMC 0 to 3.
inline rc::Gen<Fabric> regular_fabric() {
  const auto numbers =
      rc::gen::tuple(rc::gen::inRange(0u, 6u), rc::gen::inRange(0u, 4u), rc::gen::inRange(0u, 4u),
                     rc::gen::inRange(0u, 3u), rc::gen::inRange(0u, 4u));
  return rc::gen::map(numbers, [](const auto& drawn) {
    const auto& [kind, a, b, hosts, lmc] = drawn;
    const auto made = [&] {
      switch (kind) {
        case 0:
          return torus({3 + a, 3 + b}, hosts);
        case 1:
          return torus({3 + a % 2, 3, 3 + b % 2}, hosts);
        case 2:
          return mesh({1 + a, 1 + b}, hosts);
        case 3:
          return mesh({1 + a % 3, 1 + b % 3, 2}, hosts);
        case 4:
          return k_ary_n_tree(2 + a % 2, 1 + b % 3);
        default:
          return clos(1 + a, 1 + b, 1 + hosts);
      }
    };
    return assign_lids(made(), lmc);
  });
}

/// Irregular fabrics (two of three) and regular ones.
inline rc::Gen<Fabric> any_fabric(Oddities odd = {}) {
  return rc::gen::oneOf(irregular_fabric(odd), irregular_fabric(odd), regular_fabric());
}

/// Connected fabrics without unattached hosts: every engine must route all their pairs.
inline rc::Gen<Fabric> connected_fabric() {
  return any_fabric({.parallel = true, .pieces = false, .two_ports = true, .unattached = false});
}

}  // namespace selvedge::test
