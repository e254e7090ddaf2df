// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which cable is it? A trap 128 says only at which switch a port has changed. Both ends of each of
// its cables are asked for their PortInfo, by routes that avoid the switch where there are some, so
// that one answer an end decides even if the cable that died is the one by which the switch is
// reached. Where a cable is down, its far switch's other cables are looked at too: it may be the
// switch that died.
#pragma once

#include <chrono>

#include "plugin/fabric/fault.hpp"
#include "plugin/opensm/smp_agent.hpp"

namespace selvedge {

struct SmpBorder {
  Guid port = 0;            // the subnet manager's
  std::uint64_t m_key = 0;  // as on the wire
  SmpLimits limits;
  /// After which packets that were routed before have left; 0: nobody waits for that.
  std::chrono::milliseconds drain{20};
  unsigned window_hoq_life = 0;  // HoqWindow's; 0: it is left as it is
};

/// Cables of `fabric` that are down now, around these switches; a switch all of whose cables are
/// down is named as a switch. `unanswered`: how many ports said nothing by any route.
struct Located {
  Fault fault;
  unsigned unanswered = 0;
};
Located locate(SmpAgent& agent, const SmpBorder& border, const Fabric& fabric,
               std::span<const SwitchId> around);

}  // namespace selvedge
