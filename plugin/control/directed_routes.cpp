// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/directed_routes.hpp"

namespace selvedge {

DirectedRoutes::DirectedRoutes(const Fabric& fabric, Guid from, SwitchId avoid)
    : fabric_(fabric),
      by_(fabric.num_switches(), kNoChannel),
      hops_(fabric.num_switches(), UINT32_MAX) {
  start_ = fabric.find_switch(from);
  for (HostId h = 0; h < fabric.num_hosts() && start_ == kNoSwitch; ++h) {
    if (fabric.host(h).guid != from || !fabric.attached(h)) continue;
    start_ = fabric.host(h).at;
    first_port_ = fabric.host(h).ca_port;
  }
  if (start_ == kNoSwitch || start_ == avoid) return;
  hops_[start_] = first_port_ != 0 ? 1 : 0;
  std::vector<SwitchId> queue{start_};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : fabric.out(queue[i])) {
      const SwitchId next = fabric.target(c);
      if (next == avoid || hops_[next] != UINT32_MAX) continue;
      hops_[next] = hops_[queue[i]] + 1;
      by_[next] = c;
      queue.push_back(next);
    }
}

std::optional<SmpPath> DirectedRoutes::to(SwitchId s) const {
  if (!reaches(s)) return std::nullopt;
  SmpPath path;
  path.hops = static_cast<std::uint8_t>(hops_[s]);
  std::size_t at = path.hops;
  for (; by_[s] != kNoChannel; s = fabric_.switch_of(by_[s]))
    path.ports[at--] = fabric_.port_of(by_[s]);
  if (first_port_ != 0) path.ports[1] = first_port_;
  return path;
}

std::optional<SmpPath> DirectedRoutes::over(Channel c) const {
  std::optional<SmpPath> path = to(fabric_.switch_of(c));
  if (!path || path->hops == kSmpMaxHops) return std::nullopt;
  path->ports[++path->hops] = fabric_.port_of(c);
  return path;
}

std::vector<SwitchId> DirectedRoutes::entered_by(const SmpPath& path) const {
  std::vector<SwitchId> entered{start_};
  for (std::size_t i = first_port_ != 0 ? 2 : 1; i <= path.hops; ++i) {
    const Channel c = fabric_.channel(entered.back(), path.ports[i]);
    if (fabric_.between_switches(c)) entered.push_back(fabric_.target(c));
  }
  return entered;
}

}  // namespace selvedge
