// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Directed routes from the manager's host, and what a request costs where nothing else travels.
#pragma once

#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"

namespace selvedge::sim {

/// Shortest directed routes from one host to all switches and hosts of a fabric.
class DirectedRoutes {
 public:
  /// Of several shortest routes to a switch, the one by the lowest ports from the host on.
  DirectedRoutes(const Fabric& fabric, HostId from);

  /// The SMP with its route filled in; nullopt if the end cannot be reached, or by more than
  /// kMaxSmpHops links.
  std::optional<Smp> to(const SmpEnd& end) const;
  /// The number of links to an end; 0 if it cannot be reached.
  unsigned links(const SmpEnd& end) const;

 private:
  std::optional<std::vector<PortNum>> ports_to(SwitchId s) const;

  const Fabric& fabric_;
  HostId from_;
  std::vector<Channel> by_;  // per switch: the channel by which the route comes; kNoChannel: none
};

/// The ticks from the start of a request on the wire until its answer has arrived whole at the
/// manager's host, in an empty network: the sum over the links of both ways, with the tick after
/// the request's arrival in which the agent acts. `links`: from the host to the switch that
/// answers, at least 1. `bytes`: of both SMPs. All links of the model have one rate.
///
///   request  p₀ + (n − 1) p + (n − 1) r + max(S, r)      S: the SMP's time on a link
///   answer   p₀ + (n − 1) p + (n − 1) r + S              r: the time until a switch has routed it
///
/// p₀, p: propagation on the host's link and on the others. r begins when the head arrives.
Tick round_trip(const Model& model, unsigned links, unsigned bytes);

}  // namespace selvedge::sim
