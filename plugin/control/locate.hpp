// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the cable that is down. Trap 128 names only the switch with the changed port (IBA 1.3
// §14.2.5.1). So PortInfo is read at both ends of each of its cables, and one answer decides. Where
// there are such routes, the far ends are reached without crossing the switch: its usual route may
// use the cable that is down. If a cable is down, its far switch's other cables are checked too:
// that switch may be down.
#pragma once

#include <span>

#include "plugin/control/smp_settings.hpp"
#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/fault.hpp"

namespace selvedge {

/// Cables of `fabric` at these switches that are down now. If all cables of a switch to other
/// switches are down, the fault names the switch instead. `unanswered`: cables for which neither
/// end has answered.
struct Located {
  Fault fault;
  unsigned unanswered = 0;
};
Located locate(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric,
               std::span<const SwitchId> switches);

}  // namespace selvedge
