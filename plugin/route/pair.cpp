// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace selvedge::route {
namespace {

/// The GUID in "0x…"; 0 if it is none.
Guid parse_guid(std::string_view text) {
  Guid guid = 0;
  if (!text.starts_with("0x")) return 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), guid, 16);
  return error == std::errc{} && end == text.data() + text.size() ? guid : 0;
}

Node host_node(const Fabric& fabric, HostId h) {
  const Host& host = fabric.host(h);
  if (!fabric.attached(h))
    throw InputError("this host has no cable to a switch", host.name,
                     "choose another, or leave out the --fail that took it");
  return {host.name, host.at, host.port, h, host.lid, host.lid_count()};
}

Node switch_node(const Fabric& fabric, SwitchId s) {
  const Switch& node = fabric.node(s);
  if (node.failed)
    throw InputError("this switch has failed", node.name,
                     "choose another, or leave out the --fail that names it");
  return {node.name, s, 0, kNoHost, node.lid, 1};
}

[[noreturn]] void refuse_ambiguous(const std::string& name, std::size_t count) {
  throw InputError(fmt::format("{} nodes have this name", count), fmt::format("'{}'", name),
                   "name the one by its GUID, as 0x…");
}

}  // namespace

Node find_node(const Fabric& fabric, const std::string& name) {
  const Guid guid = parse_guid(name);
  std::vector<HostId> hosts;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.host(h).name == name || (guid != 0 && fabric.host(h).guid == guid))
      hosts.push_back(h);
  std::vector<SwitchId> switches;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (fabric.node(s).name == name || (guid != 0 && fabric.node(s).guid == guid))
      switches.push_back(s);
  if (hosts.size() > 1) refuse_ambiguous(name, hosts.size());
  if (hosts.empty() && switches.size() > 1) refuse_ambiguous(name, switches.size());
  if (hosts.empty() && switches.empty())
    throw InputError("no such host or switch in this fabric", fmt::format("'{}'", name),
                     "name a host (H-0-0), a switch (S-0-0) or a GUID (0x…)");
  const Node node = hosts.empty() ? switch_node(fabric, switches[0]) : host_node(fabric, hosts[0]);
  if (node.lid == kNoLid) throw InputError("this node has no LID", node.name, "choose another");
  return node;
}

std::vector<PairPath> paths_between(const Fabric& fabric, const Tables& tables, const Node& source,
                                    const Node& destination) {
  std::vector<PairPath> paths;
  for (unsigned offset = 0; offset < destination.lids; ++offset) {
    const Lid dlid = static_cast<Lid>(destination.lid + offset);
    paths.push_back({dlid, offset, false, walk(fabric, tables, source.at, source.port, dlid)});
  }
  std::vector<unsigned> order;  // offsets
  if (destination.host != kNoHost)
    order = disjoint_lids(fabric, tables, source.at, destination.host);
  else if (paths[0].path.arrives())
    order = {0};
  // On the destination's own switch offset 0 stands for all; it may still not arrive.
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
