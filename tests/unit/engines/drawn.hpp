// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Helpers of the tests of the engines: fabrics given as lists of cables, and functions that follow
// LFTs and share no code with the engines.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge::test {

/// The first witness of a failed proof.
inline std::string first_witness(const Verdict& verdict) {
  return verdict.witnesses.empty() ? "" : verdict.witnesses[0].text;
}

using Cables = std::vector<std::pair<SwitchId, SwitchId>>;

/// Switches "0", "1", …; ports are assigned in the order of the cables, then of the hosts. `hosts`
/// has the switch of each host; empty = one host at every switch.
inline Fabric draw(unsigned switches, const Cables& cables, std::vector<SwitchId> hosts = {},
                   unsigned lmc = 0) {
  if (hosts.empty())
    for (SwitchId s = 0; s < switches; ++s) hosts.push_back(s);
  std::vector<unsigned> ports(switches, 0);
  FabricBuilder builder;
  for (SwitchId s = 0; s < switches; ++s) {
    Switch node;
    node.name = std::to_string(s);
    builder.add_switch(node);
  }
  for (const auto& [a, b] : cables) {
    const auto pa = static_cast<PortNum>(++ports[a]);
    builder.connect(a, pa, b, static_cast<PortNum>(++ports[b]));
  }
  for (const SwitchId s : hosts) {
    Host host;
    host.name = "H" + std::to_string(s);
    host.at = s;
    host.port = static_cast<PortNum>(++ports[s]);
    builder.add_host(host);
  }
  for (SwitchId s = 0; s < switches; ++s) builder.node(s).ports = static_cast<PortNum>(ports[s]);
  return assign_lids(std::move(builder).build("drawing"), lmc);
}

/// Levels of switches with random cables between neighbouring levels, hosts at the lowest level
/// only: fat trees with holes. Often connected, not always.
inline rc::Gen<Fabric> layered_fabric() {
  return rc::gen::resize(100, rc::gen::exec([] {
                           const std::vector<unsigned> sizes =
                               *rc::gen::container<std::vector<unsigned>>(
                                   *rc::gen::inRange<std::size_t>(2, 5), rc::gen::inRange(1u, 6u));
                           const int holes = *rc::gen::inRange(0, 50);  // per cent
                           Cables cables;
                           SwitchId low = 0, high = sizes[0];
                           for (std::size_t level = 1; level < sizes.size(); ++level) {
                             for (SwitchId a = low; a < low + sizes[level - 1]; ++a)
                               for (SwitchId b = high; b < high + sizes[level]; ++b)
                                 if (*rc::gen::inRange(0, 100) >= holes) cables.emplace_back(a, b);
                             low = high;
                             high += sizes[level];
                           }
                           std::vector<SwitchId> hosts;
                           for (SwitchId s = 0; s < sizes[0]; ++s) hosts.insert(hosts.end(), 2, s);
                           return draw(high, cables, hosts, *rc::gen::inRange(0u, 3u));
                         }));
}

/// All kinds of fabrics that the engines must route.
inline rc::Gen<Fabric> every_fabric() {
  return rc::gen::oneOf(any_fabric(), any_fabric(), layered_fabric());
}

/// The switches that a packet from x to a LID passes, x first, as far as the LFTs lead. A loop ends
/// once as many switches as the fabric has were passed.
inline std::vector<SwitchId> route(const Fabric& f, const Tables& t, SwitchId x, Lid dlid) {
  std::vector<SwitchId> way{x};
  while (x != f.destination_switch(dlid) && way.size() <= f.num_switches()) {
    const PortNum port = t.next(x, dlid);
    if (port == kNoPort) break;
    const Channel c = f.channel(x, port);
    if (!f.between_switches(c)) break;
    x = f.target(c);
    way.push_back(x);
  }
  return way;
}

/// The number of cables on the path; nothing if the path does not end at the LID's own port.
inline std::optional<unsigned> hops(const Fabric& f, const Tables& t, SwitchId x, Lid dlid) {
  const std::vector<SwitchId> way = route(f, t, x, dlid);
  const SwitchId destination_switch = f.destination_switch(dlid);
  if (way.back() != destination_switch) return std::nullopt;
  const LidOwner who = f.owner(dlid);
  const PortNum last = who.kind == LidOwner::Kind::kHost ? f.host(who.id).port : PortNum{0};
  if (t.next(destination_switch, dlid) != last) return std::nullopt;
  return static_cast<unsigned>(way.size() - 1);
}

inline constexpr unsigned kApart = 1'000'000;

/// Hops from every switch to `to`; kApart if there is no path.
inline std::vector<unsigned> hop_distances(const Fabric& f, SwitchId to) {
  std::vector<unsigned> distance(f.num_switches(), kApart);
  std::queue<SwitchId> queue;
  distance[to] = 0;
  queue.push(to);
  while (!queue.empty()) {
    const SwitchId x = queue.front();
    queue.pop();
    for (const Channel c : f.out(x)) {
      if (distance[f.target(c)] != kApart) continue;
      distance[f.target(c)] = distance[x] + 1;
      queue.push(f.target(c));
    }
  }
  return distance;
}

inline std::vector<Lid> lids_of(const Host& host) {
  std::vector<Lid> lids;
  for (unsigned i = 0; i < host.lid_count(); ++i) lids.push_back(static_cast<Lid>(host.lid + i));
  return lids;
}

/// Whether the graph of channel dependencies between switches is acyclic, for every LID from every
/// switch, all on one VL. (The SL does not matter then.)
inline bool dependencies_acyclic(const Fabric& f, const Tables& t,
                                 const std::optional<SpanningTree>& multicast = {}) {
  std::vector<std::vector<Channel>> after(f.num_switch_channels());
  const auto depend = [&](Channel a, Channel b) { after[a].push_back(b); };
  for (unsigned lid = 1; lid <= t.top_lid(); ++lid)
    for (SwitchId x = 0; x < f.num_switches(); ++x) {
      const PortNum port = t.next(x, static_cast<Lid>(lid));
      if (port == kNoPort || !f.between_switches(f.channel(x, port))) continue;
      const SwitchId y = f.target(f.channel(x, port));
      const PortNum next = t.next(y, static_cast<Lid>(lid));
      if (next != kNoPort && f.between_switches(f.channel(y, next)))
        depend(f.channel(x, port), f.channel(y, next));
    }
  if (multicast) {
    // A packet that enters a tree's switch by one of its cables leaves by all the others.
    std::vector<std::vector<Channel>> part(f.num_switches());
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      const Channel up = (*multicast)[s];
      if (up == kNoChannel) continue;
      part[s].push_back(up);
      part[f.target(up)].push_back(f.peer(up));
    }
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      for (const Channel in : part[s])
        for (const Channel out : part[s])
          if (in != out) depend(f.peer(in), out);
  }
  std::vector<unsigned> before(after.size(), 0);
  for (auto& list : after) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const Channel c : list) ++before[c];
  }
  std::vector<Channel> ready;
  for (Channel c = 0; c < after.size(); ++c)
    if (before[c] == 0) ready.push_back(c);
  std::size_t done = 0;
  for (; done < ready.size(); ++done)
    for (const Channel c : std::vector<Channel>(after[ready[done]]))
      if (--before[c] == 0) ready.push_back(c);
  return done == after.size();
}

/// Paths over each channel when every host sends to every LID of every host on another switch, each
/// LID counting 1/2^LMC: the greatest over the mean of all channels between switches.
inline double load_imbalance(const Fabric& f, const Tables& t) {
  std::vector<double> load(f.num_switch_channels(), 0);
  for (const Host& host : f.hosts())
    for (const Lid lid : lids_of(host))
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        const std::vector<SwitchId> way = route(f, t, s, lid);
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
          load[f.channel(way[i], t.next(way[i], lid))] +=
              static_cast<double>(f.hosts_at(s).size()) / host.lid_count();
      }
  double most = 0, sum = 0;
  for (const Channel c : f.links())
    for (const Channel d : {c, f.peer(c)}) {
      most = std::max(most, load[d]);
      sum += load[d];
    }
  return sum == 0 ? 0 : most / (sum / (2.0 * static_cast<double>(f.links().size())));
}

}  // namespace selvedge::test
