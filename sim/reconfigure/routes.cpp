// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/routes.hpp"

#include <algorithm>

namespace selvedge::sim {

DirectedRoutes::DirectedRoutes(const Fabric& fabric, HostId from)
    : fabric_(fabric), from_(from), by_(fabric.num_switches(), kNoChannel) {
  if (!fabric.attached(from)) return;
  std::vector<SwitchId> queue{fabric.host(from).at};
  by_[queue[0]] = fabric.injection(from);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : fabric.out(queue[i])) {
      const SwitchId next = fabric.target(c);
      if (by_[next] != kNoChannel) continue;
      by_[next] = c;
      queue.push_back(next);
    }
}

std::optional<std::vector<PortNum>> DirectedRoutes::ports_to(SwitchId s) const {
  std::vector<PortNum> ports;
  for (SwitchId at = s;;) {
    const Channel by = by_[at];
    if (by == kNoChannel) return std::nullopt;
    ports.push_back(fabric_.port_of(by));
    if (!fabric_.from_switch(by)) break;
    at = fabric_.switch_of(by);
  }
  std::ranges::reverse(ports);
  return ports;
}

std::optional<Smp> DirectedRoutes::to(const SmpEnd& end) const {
  const bool to_host = end.kind == SmpEnd::Kind::kHost;
  if (to_host && (!fabric_.attached(end.id) || end.id == from_)) return std::nullopt;
  auto ports = ports_to(to_host ? fabric_.host(end.id).at : end.id);
  if (ports && to_host) ports->push_back(fabric_.host(end.id).port);
  if (!ports || ports->size() > kMaxSmpHops) return std::nullopt;
  Smp smp{.directed = true, .hops = static_cast<std::uint8_t>(ports->size())};
  std::ranges::copy(*ports, smp.out.begin() + 1);
  return smp;
}

unsigned DirectedRoutes::links(const SmpEnd& end) const {
  const std::optional<Smp> smp = to(end);
  return smp ? smp->hops : 0U;
}

Tick round_trip(const Model& model, unsigned links, unsigned bytes) {
  const Tick wire = Tick{bytes} * model.between_switches.byte_time;
  const Tick header =
      model.switching == Switching::kStoreAndForward
          ? wire
          : std::min<Tick>(bytes, model.routing_header_bytes) * model.between_switches.byte_time;
  const Tick routed = header + model.routing;
  const Tick way =
      model.to_hosts.propagation + Tick{links - 1} * (model.between_switches.propagation + routed);
  return way + std::max(wire, routed) + 1 + way + wire;
}

}  // namespace selvedge::sim
