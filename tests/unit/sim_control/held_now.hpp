// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What tests ask after each write of a manager on a subnet in memory.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "sim/control/virtual_manager.hpp"

namespace selvedge::sim {

/// What the switches hold now, with the path SLs that path records report.
inline Tables held_now(const MemorySubnet& subnet, const VirtualManager& manager,
                       const Plan& plan) {
  Tables held = subnet.tables_in_switches(plan.fabric);
  held.mft = subnet.group_in_switches(plan.fabric);
  held.host_sl2vl = plan.tables.host_sl2vl;
  for (SwitchId s = 0; s < plan.fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= plan.fabric.top_lid(); ++lid)
      held.set_sl(s, static_cast<Lid>(lid), plan.tables.sl(s, static_cast<Lid>(lid)));
  manager.announce(held);
  return held;
}

/// Whether a line of the manager's log has these words.
inline bool has_line(const VirtualManager& manager, std::string_view words) {
  return std::ranges::any_of(manager.log_lines(), [&](const std::string& line) {
    return line.find(words) != std::string::npos;
  });
}

}  // namespace selvedge::sim
