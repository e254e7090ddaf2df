// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/damaged_fabric.hpp"

#include <algorithm>
#include <array>

namespace selvedge {

void DamagedFabric::reset(const Fabric& damaged) {
  damaged_ = &damaged;
  failed_.clear();
  was_failed_.resize(damaged.num_switches(), false);
  for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
    if (damaged.node(s).failed && !was_failed_[s]) failed_.push_back(s);
    was_failed_[s] = damaged.node(s).failed;
  }
  alive_.assign(damaged.num_switch_channels(), false);
  for (SwitchId s = 0; s < damaged.num_switches(); ++s)
    for (const Channel c : damaged.out(s)) alive_[c] = true;
  constexpr std::uint32_t kNone = UINT32_MAX;
  component_.assign(damaged.num_switches(), kNone);
  members_.clear();
  for (SwitchId start = 0; start < damaged.num_switches(); ++start) {
    if (component_[start] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(members_.size());
    std::vector<SwitchId> list{start};
    component_[start] = number;
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const Channel c : damaged.out(list[i])) {
        const SwitchId to = damaged.target(c);
        if (component_[to] != kNone) continue;
        component_[to] = number;
        list.push_back(to);
      }
    members_.push_back(std::move(list));
  }
}

void DamagedFabric::remove_channels(const Fabric& damaged, std::span<const Channel> lost) {
  damaged_ = &damaged;
  failed_.clear();
  for (const Channel c : lost)
    if (damaged.from_switch(c)) alive_[c] = false;
  for (SwitchId s = 0; s < damaged.num_switches(); ++s)
    if (damaged.node(s).failed != was_failed_[s]) return reset(damaged);
  if (!still_connected(lost)) reset(damaged);
}

/// Whether the switches of these channels are still physically connected with each other.
bool DamagedFabric::still_connected(std::span<const Channel> lost) {
  seen_.resize(component_.size(), 0);
  const std::uint32_t end = ++stamp_, visited = ++stamp_;
  std::size_t ends = 0;
  SwitchId first = kNoSwitch;
  for (const Channel c : lost) {
    if (!damaged_->from_switch(c)) continue;
    const SwitchId s = damaged_->switch_of(c);
    if (first == kNoSwitch) first = s;
    if (component_[s] != component_[first])
      return false;  // not connected before either: the caller recomputes all components
    ends += seen_[s] != end;
    seen_[s] = end;
  }
  if (ends < 2) return true;
  list_.assign(1, first);
  seen_[first] = visited;
  for (std::size_t i = 0; i < list_.size(); ++i)
    for (const Channel c : damaged_->out(list_[i])) {
      const SwitchId to = damaged_->target(c);
      if (seen_[to] == visited) continue;
      ends -= seen_[to] == end;
      if (ends == 1) return true;
      seen_[to] = visited;
      list_.push_back(to);
    }
  return false;
}

PortNum DamagedFabric::delivery_port(Lid lid) const {
  const LidOwner owner = damaged_->owner(lid);
  if (owner.kind == LidOwner::Kind::kSwitch)
    return damaged_->node(owner.id).failed ? kNoPort : PortNum{0};
  if (owner.kind == LidOwner::Kind::kHost && damaged_->attached(owner.id))
    return damaged_->host(owner.id).port;
  return kNoPort;
}

bool DamagedFabric::can_reach(Lid lid, SwitchId from) const {
  const SwitchId destination_switch = damaged_->destination_switch(lid);
  return destination_switch != kNoSwitch && component_[destination_switch] == component_[from] &&
         delivery_port(lid) != kNoPort;
}

std::vector<BrokenEntry> DamagedFabric::broken_entries(std::span<const Channel> lost,
                                                       const Tables& tables) const {
  std::vector<Channel> channels;
  for (const Channel c : lost)
    if (damaged_->from_switch(c)) channels.push_back(c);
  for (const SwitchId s : failed_) channels.push_back(damaged_->channel(s, 0));
  std::ranges::sort(channels);
  std::vector<BrokenEntry> found;
  std::array<bool, 256> lost_ports;
  for (auto first = channels.begin(), last = first; first != channels.end(); first = last) {
    const SwitchId s = damaged_->switch_of(*first);
    lost_ports.fill(false);
    for (; last != channels.end() && damaged_->switch_of(*last) == s; ++last)
      lost_ports[damaged_->port_of(*last)] = true;
    if (std::ranges::find(failed_, s) != failed_.end()) lost_ports.fill(true);
    lost_ports[kNoPort] = false;
    const std::span<const PortNum> lft = tables.lft(s);
    const auto others = static_cast<std::ptrdiff_t>(found.size());
    for (std::size_t lid = 1; lid < lft.size(); ++lid)
      if (lost_ports[lft[lid]]) found.push_back({static_cast<Lid>(lid), s});
    std::inplace_merge(found.begin(), found.begin() + others, found.end());
  }
  return found;
}

std::vector<BrokenEntry> DamagedFabric::missing_entries(const Tables& tables) const {
  std::vector<BrokenEntry> found;
  for (SwitchId s = 0; s < damaged_->num_switches(); ++s) {
    if (damaged_->node(s).failed) continue;
    const std::span<const PortNum> lft = tables.lft(s);
    for (std::size_t i = 1; i < lft.size(); ++i) {
      const auto lid = static_cast<Lid>(i);
      if (lft[i] == kNoPort && !tables.is_spare(lid) && can_reach(lid, s))
        found.push_back({lid, s});
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace selvedge
