// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balanced/layout.hpp"

namespace selvedge::balanced {
namespace {

void write_column(const SwitchGraph& graph, const Forest& forest, std::size_t t, Lid lid,
                  PortNum last, Tables& tables) {
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    const Arc a = forest.next(t, s);
    if (a != kNoArc) tables.set_next(s, lid, graph.port[a]);
  }
  tables.set_next(forest.targets()[t].at, lid, last);
}

/// The hosts whose trees these are: those that share the tree, if any do.
std::vector<HostId> hosts_of(const Fabric& fabric, const Target& target) {
  if (target.hosts == 1) return {target.host};
  std::vector<HostId> hosts;
  for (const HostId h : fabric.hosts_at(target.at))
    if (fabric.host(h).lid != kNoLid) hosts.push_back(h);
  return hosts;
}

}  // namespace

std::vector<Target> base_targets(const Fabric& fabric, const std::vector<HostId>& first,
                                 bool shared) {
  constexpr std::size_t kNoTarget = SIZE_MAX;
  std::vector<Target> targets;
  std::vector<bool> placed(fabric.num_hosts(), false);
  std::vector<std::size_t> target_of(fabric.num_switches(), kNoTarget);  // the first of a switch
  const auto place = [&](HostId h) {
    const Host& host = fabric.host(h);
    if (placed[h] || !fabric.attached(h) || host.lid == kNoLid || fabric.node(host.at).failed)
      return;
    placed[h] = true;
    if (shared && target_of[host.at] != kNoTarget) {
      ++targets[target_of[host.at]].hosts;
      return;
    }
    if (target_of[host.at] == kNoTarget) target_of[host.at] = targets.size();
    targets.push_back({host.at, h});
  };
  for (const HostId h : first) place(h);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (const HostId h : fabric.hosts_at(s)) place(h);
    if (target_of[s] == kNoTarget && !fabric.node(s).failed) targets.push_back({s, kNoHost});
  }
  return targets;
}

std::vector<Target> further_targets(const Fabric& fabric, const std::vector<Target>& base) {
  std::vector<Target> targets;
  for (const Target& target : base) {
    if (target.host == kNoHost) continue;
    for (unsigned offset = 1; offset < fabric.host(target.host).lid_count(); ++offset)
      targets.push_back({target.at, target.host, offset, target.hosts});
  }
  return targets;
}

void write_base(const Fabric& fabric, const SwitchGraph& graph, const Forest& forest,
                Tables& tables) {
  std::vector<bool> written(fabric.num_switches(), false);
  for (std::size_t t = 0; t < forest.targets().size(); ++t) {
    const Target& target = forest.targets()[t];
    if (target.host != kNoHost)
      for (const HostId h : hosts_of(fabric, target))
        write_column(graph, forest, t, fabric.host(h).lid, fabric.host(h).port, tables);
    const Lid own = fabric.node(target.at).lid;
    if (own == kNoLid || written[target.at]) continue;
    written[target.at] = true;
    write_column(graph, forest, t, own, 0, tables);
  }
}

void write_further(const Fabric& fabric, const SwitchGraph& graph, const Forest& forest,
                   Tables& tables) {
  for (std::size_t t = 0; t < forest.targets().size(); ++t) {
    const Target& target = forest.targets()[t];
    for (const HostId h : hosts_of(fabric, target))
      if (const Host& host = fabric.host(h); target.offset < host.lid_count())
        write_column(graph, forest, t, static_cast<Lid>(host.lid + target.offset), host.port,
                     tables);
  }
}

void repeat_base(const Fabric& fabric, Tables& tables) {
  for (const Host& host : fabric.hosts()) {
    if (host.lid == kNoLid) continue;
    for (unsigned offset = 1; offset < host.lid_count(); ++offset)
      for (SwitchId s = 0; s < fabric.num_switches(); ++s)
        tables.set_next(s, static_cast<Lid>(host.lid + offset), tables.next(s, host.lid));
  }
}

}  // namespace selvedge::balanced
