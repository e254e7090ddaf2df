// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which cable is it? A trap 128 says only at which switch a port has changed. Both ends of each of
// its cables are asked for their PortInfo, by routes that avoid the switch where there are some, so
// that one answer an end decides even if the cable that died is the one by which the switch is
// reached. Where a cable is down, its far switch's other cables are looked at too: it may be the
// switch that died.
#pragma once

#include <span>

#include "plugin/control/smp_settings.hpp"
#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/fault.hpp"

namespace selvedge {

/// Cables of `fabric` that are down now, around these switches; a switch all of whose cables are
/// down is named as a switch. `unanswered`: how many ports said nothing by any route.
struct Located {
  Fault fault;
  unsigned unanswered = 0;
};
Located locate(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric,
               std::span<const SwitchId> around);

}  // namespace selvedge
