// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the cables that are down after a trap. Trap 128 names only the switch with the changed port
// (IBA 1.3 §14.2.5.1). So PortInfo is read at both ends of each of the switch's cables. One answer
// is enough to know whether a cable is down. The other ends are reached by directed routes around
// the switch if there are any, because a route through it may use the cable that is down. So no
// time-out is waited for, however many cables of the switch are down, as long as the other ends
// answer. If a cable is down, all cables of the switch at its other end are checked too: that
// switch may be down.
#pragma once

#include <span>

#include "plugin/control/smp_settings.hpp"
#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/fault.hpp"

namespace selvedge {

/// `fault`: the cables of the examined switches that are down. If all cables of a switch to other
/// switches are down and no host's cable there is reported up, the fault names the switch instead.
/// `unanswered`: how many cables are unknown, because neither end has answered.
struct Located {
  Fault fault;
  unsigned unanswered = 0;
};
Located locate(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric,
               std::span<const SwitchId> switches);

}  // namespace selvedge
