// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/paused_groups.hpp"

#include <utility>

namespace selvedge::transition {
namespace {

/// Per switch: the ports from which a packet goes to a node of its own, to a host or to the switch.
std::vector<PortSet> ports_to_members(const Fabric& fabric) {
  std::vector<PortSet> ports(fabric.num_switches());
  for (PortSet& own : ports) own.set(0);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h)) ports[fabric.host(h).at].set(fabric.host(h).port);
  return ports;
}

/// The groups after the change.
MulticastTables groups_after(const Tables& from, const Delta& delta) {
  MulticastTables after = from.mft;
  for (const MftChange& c : delta.mft) {
    MulticastTree& tree = after[c.mlid];
    tree.resize(from.num_switches());
    tree[c.at] = c.after;
  }
  return after;
}

}  // namespace

std::vector<MftChange> paused_ports(const Fabric& fabric, const Tables& from, const Delta& delta,
                                    bool keep_members) {
  const std::vector<PortSet> members = ports_to_members(fabric);
  std::vector<PortSet> other_rows(fabric.num_switches());  // ports out at which a row changes
  for (const Sl2VlChange& c : delta.sl2vl) other_rows[c.at].set(c.out);
  const MulticastTables after = groups_after(from, delta);
  std::vector<MftChange> writes;
  for (const auto& [mlid, tree] : from.mft)
    for (SwitchId s = 0; s < tree.size(); ++s) {
      if (tree[s].none() || fabric.node(s).failed) continue;
      PortSet kept = tree[s] & after.at(mlid)[s];
      kept &= ~other_rows[s] | members[s];
      if (keep_members) kept |= tree[s] & members[s];
      if (kept != tree[s]) writes.push_back({mlid, s, tree[s], kept});
    }
  return writes;
}

std::vector<MftChange> resumed_ports(const Fabric& fabric, const Tables& from, const Tables& paused,
                                     const Delta& delta) {
  std::vector<MftChange> writes;
  for (const auto& [mlid, tree] : groups_after(from, delta)) {
    const auto now = paused.mft.find(mlid);
    for (SwitchId s = 0; s < tree.size(); ++s) {
      if (fabric.node(s).failed) continue;
      const PortSet before = now == paused.mft.end() ? PortSet() : now->second[s];
      if (before != tree[s]) writes.push_back({mlid, s, before, tree[s]});
    }
  }
  return writes;
}

SendPhase ports_to_come(const Tables& from, const SendPlan& plan, const Delta& delta) {
  MulticastTables now = from.mft;
  for (const SendPhase& phase : plan.phases)
    for (const MftChange& c : phase.mft) now.at(c.mlid)[c.at] = c.after;
  SendPhase all{.kind = SendPhase::Kind::kAddGroupPorts};
  for (const auto& [mlid, tree] : groups_after(from, delta)) {
    const auto group = now.find(mlid);
    for (SwitchId s = 0; s < tree.size(); ++s) {
      const PortSet before = group == now.end() ? PortSet() : group->second[s];
      if ((before | tree[s]) != before) all.mft.push_back({mlid, s, before, before | tree[s]});
    }
  }
  return all;
}

}  // namespace selvedge::transition
