// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/pair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/fabric/naming.hpp"

namespace selvedge::route {
namespace {

Node host_node(const Fabric& fabric, HostId h) {
  const Host& host = fabric.host(h);
  if (!fabric.attached(h))
    throw InputError("this host has no cable to a switch", host_label(fabric, h),
                     "choose another, or leave out the --fail that took it");
  return {host_label(fabric, h), host.at, host.port, h, host.lid, host.lid_count()};
}

Node switch_node(const Fabric& fabric, SwitchId s) {
  const Switch& node = fabric.node(s);
  if (node.failed)
    throw InputError("this switch has failed", node.name,
                     "choose another, or leave out the --fail that names it");
  return {switch_label(fabric, s), s, 0, kNoHost, node.lid, 1};
}

}  // namespace

Node find_node(const Fabric& fabric, const std::string& name) {
  const HostId host = name_host(fabric, name);
  const SwitchId at = host == kNoHost ? name_switch(fabric, name) : kNoSwitch;
  if (host == kNoHost && at == kNoSwitch)
    throw InputError("no such host or switch in this fabric", fmt::format("'{}'", name),
                     "name a host (H-0-0, or by its switch and port, S-0-0:5), a switch (S-0-0) or "
                     "a GUID (0x…)");
  const Node node = host == kNoHost ? switch_node(fabric, at) : host_node(fabric, host);
  if (node.lid == kNoLid) throw InputError("this node has no LID", node.name, "choose another");
  return node;
}

bool reversed(const Fabric& fabric, const Path& forth, const Path& home) {
  return std::ranges::equal(forth.channels.rbegin(), forth.channels.rend(), home.channels.begin(),
                            home.channels.end(), {},
                            [&](Channel channel) { return fabric.peer(channel); });
}

std::vector<PairPath> paths_between(const Fabric& fabric, const Tables& tables, const Node& source,
                                    const Node& destination) {
  std::vector<PairPath> paths;
  for (unsigned offset = 0; offset < destination.lids; ++offset) {
    const Lid dlid = static_cast<Lid>(destination.lid + offset);
    paths.push_back({dlid, offset, false, walk(fabric, tables, source.at, source.port, dlid), {}});
  }
  for (unsigned offset = 0; offset < source.lids; ++offset) {
    const Path home = walk(fabric, tables, destination.at, destination.port,
                           static_cast<Lid>(source.lid + offset));
    for (PairPath& p : paths)
      if (home.arrives() && p.path.arrives() && (!p.back || offset == p.offset) &&
          reversed(fabric, p.path, home))
        p.back = offset;
  }
  std::vector<unsigned> order;  // offsets of the disjoint set
  if (destination.host != kNoHost)
    order = disjoint_lids(fabric, tables, source.at, destination.host);
  else if (paths[0].path.arrives())
    order = {0};
  // If source and destination are on one switch, offset 0 stands for all. It may not arrive either.
  std::erase_if(order, [&](unsigned offset) { return !paths[offset].path.arrives(); });
  for (const unsigned offset : order) paths[offset].disjoint = true;
  std::vector<PairPath> sorted;
  sorted.reserve(paths.size());
  for (const unsigned offset : order) sorted.push_back(paths[offset]);
  for (const bool arrives : {true, false})
    for (const PairPath& p : paths)
      if (!p.disjoint && p.path.arrives() == arrives) sorted.push_back(p);
  return sorted;
}

}  // namespace selvedge::route
