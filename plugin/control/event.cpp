// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/event.hpp"

namespace selvedge {

std::string_view name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kTrap:
      return "trap";
    case Event::Kind::kHeavySweepStart:
      return "heavy_sweep_start";
    case Event::Kind::kHeavySweepDone:
      return "heavy_sweep_done";
    case Event::Kind::kTablesBegin:
      return "tables_begin";
    case Event::Kind::kTablesComputed:
      return "tables_computed";
    case Event::Kind::kProved:
      return "proved";
    case Event::Kind::kTablesWritten:
      return "tables_written";
    case Event::Kind::kLftBlock:
      return "lft_block";
    case Event::Kind::kLftTop:
      return "lft_top";
    case Event::Kind::kRoutingDone:
      return "routing_done";
    case Event::Kind::kSubnetUp:
      return "subnet_up";
    case Event::Kind::kStateChange:
      return "state_change";
    case Event::Kind::kFaultLocated:
      return "fault_located";
    case Event::Kind::kRepairBlock:
      return "repair_block";
    case Event::Kind::kBaseConfirmed:
      return "base_confirmed";
    case Event::Kind::kRepairConfirmed:
      return "repair_confirmed";
  }
  return "?";
}

}  // namespace selvedge
