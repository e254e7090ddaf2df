// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/fabric_changes.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "plugin/fabric/naming.hpp"

namespace selvedge {
namespace {

/// A cable, as the (GUID, port) of its two ends, the lower one first. The same cable has the same
/// key in both fabrics.
using CableKey = std::pair<std::pair<Guid, PortNum>, std::pair<Guid, PortNum>>;

/// All cables of a fabric with their names, such as "S-0-0:2 – S-0-1:1".
std::map<CableKey, std::string> cables(const Fabric& f) {
  std::map<CableKey, std::string> all;
  auto add = [&](Channel c) {
    const Channel d = f.peer(c);
    auto end = [&](Channel x) {
      return std::pair(f.from_switch(x) ? f.node(f.switch_of(x)).guid : f.host(f.host_of(x)).guid,
                       f.port_of(x));
    };
    CableKey key{end(c), end(d)};
    if (key.second < key.first) std::swap(key.first, key.second);
    all.emplace(key, fmt::format("{} – {}", f.port_name(c), f.port_name(d)));
  };
  for (const Channel c : f.links()) add(c);
  for (HostId h = 0; h < f.num_hosts(); ++h)
    if (f.attached(h)) add(f.injection(h));
  return all;
}

}  // namespace

std::vector<std::string> changes(const Fabric& before, const Fabric& after) {
  std::vector<std::string> lines;
  auto nodes = [](const Fabric& f) {
    std::map<Guid, std::string> all;
    const Labels labels(f);
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      all.emplace(f.node(s).guid, "switch " + labels.of_switch(s));
    for (HostId h = 0; h < f.num_hosts(); ++h)
      all.emplace(f.host(h).guid, "host " + labels.of_host(h));
    return all;
  };
  auto compare = [&](const auto& old_ones, const auto& new_ones, const std::string& prefix) {
    for (const auto& [key, text] : old_ones)
      if (!new_ones.contains(key)) lines.push_back(prefix + text + " is gone");
    for (const auto& [key, text] : new_ones)
      if (!old_ones.contains(key)) lines.push_back(prefix + text + " is new");
  };
  compare(nodes(before), nodes(after), "");
  compare(cables(before), cables(after), "cable ");
  return lines;
}

}  // namespace selvedge
