// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/spare_lids.hpp"

#include <utility>

#include "plugin/fabric/connected.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

/// Calls f(host id, LID) for each spare LID.
template <class F>
void each_spare(const Fabric& fabric, const Tables& tables, F f) {
  if (!tables.has_spare_lids()) return;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i)
      if (const auto lid = static_cast<Lid>(host.lid + i); tables.is_spare(lid)) f(h, lid);
  }
}

}  // namespace

std::vector<Lid> surplus_lids(const Fabric& fabric, const Tables& tables, bool one_path) {
  DisjointPaths paths(fabric, tables);
  std::vector<Lid> surplus;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (host.lid == kNoLid || host.lid_count() == 1) continue;
    std::vector<bool> needed(host.lid_count(), false);
    needed[0] = true;
    for (SwitchId s = 0; !one_path && s < fabric.num_switches(); ++s)
      if (!fabric.hosts_at(s).empty() && fabric.attached(h) && s != host.at)
        for (const unsigned offset : paths.find(s, h)) needed[offset] = true;
    for (unsigned i = 1; i < host.lid_count(); ++i)
      if (!needed[i]) surplus.push_back(static_cast<Lid>(host.lid + i));
  }
  return surplus;
}

void make_spare(const Fabric& fabric, Tables& tables, const std::vector<Lid>& lids) {
  std::vector<bool> spare(tables.top_lid() + std::size_t{1}, false);
  for (const Lid lid : lids) spare[lid] = true;
  tables.set_spare_lids(std::move(spare));
  remove_fresh_paths(fabric, tables);
}

void remove_fresh_paths(const Fabric& fabric, Tables& tables) {
  each_spare(fabric, tables, [&](HostId h, Lid lid) {
    const Host& host = fabric.host(h);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      const bool here = fabric.attached(h) && s == host.at;
      tables.set_next(s, lid, here ? host.port : kNoPort);
      tables.set_sl(s, lid, here ? tables.sl(s, host.lid) : Sl{0});
    }
  });
}

bool has_fresh_path(const Fabric& fabric, const Tables& tables) {
  bool found = false;
  each_spare(fabric, tables, [&](HostId h, Lid lid) {
    for (SwitchId s = 0; s < fabric.num_switches() && !found; ++s)
      found = s != fabric.host(h).at && tables.next(s, lid) != kNoPort;
  });
  return found;
}

void mark_missing_as_spare(const Fabric& fabric, Tables& tables) {
  const std::vector<SwitchId> part = connected_parts(fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (host.lid == kNoLid || host.lid_count() == 1 || !fabric.attached(h)) continue;
    for (unsigned i = 0; i < host.lid_count(); ++i) {
      const auto lid = static_cast<Lid>(host.lid + i);
      for (SwitchId s = 0; s < fabric.num_switches() && !tables.is_spare(lid); ++s)
        if (part[s] == part[host.at] && !fabric.hosts_at(s).empty() &&
            tables.next(s, lid) == kNoPort)
          tables.set_spare(lid);
    }
  }
}

}  // namespace selvedge
