// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/group_ports.hpp"

#include <algorithm>

namespace selvedge {

void GroupPorts::add(const Plan& plan) {
  for (const auto& [mlid, tree] : plan.tables.mft)
    for (SwitchId s = 0; s < tree.size(); ++s)
      if (tree[s].any()) ports_[plan.fabric.node(s).guid] |= tree[s];
}

void GroupPorts::remove(const Fabric& fabric, const std::vector<PausedPorts>& ports) {
  for (const PausedPorts& lost : ports)
    if (const auto own = ports_.find(fabric.node(lost.at).guid); own != ports_.end())
      own->second &= ~lost.ports;
}

GroupPorts GroupPorts::outside(const Fabric& fabric) const {
  GroupPorts outside;
  for (const auto& [guid, ports] : ports_)
    if (const SwitchId s = fabric.find_switch(guid); s == kNoSwitch || fabric.node(s).failed)
      outside.ports_.emplace(guid, ports);
  return outside;
}

bool GroupPorts::include(const GroupPorts& other) const {
  return std::ranges::all_of(other.ports_, [&](const auto& entry) {
    const auto own = ports_.find(entry.first);
    return own != ports_.end() ? (entry.second & ~own->second).none() : entry.second.none();
  });
}

MulticastTables GroupPorts::with_those_of(const Plan& plan) const {
  MulticastTables groups = plan.tables.mft;
  if (ports_.empty()) return groups;
  MulticastTree& all = groups[kMinMulticastLid];
  all.resize(plan.fabric.num_switches());
  for (const auto& [guid, ports] : ports_)
    if (const SwitchId s = plan.fabric.find_switch(guid); s != kNoSwitch) all[s] |= ports;
  return groups;
}

}  // namespace selvedge
