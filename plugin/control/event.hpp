// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What happens to a subnet and its tables, as an event that can be counted and timed.
#pragma once

#include <cstdint>
#include <string_view>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

struct Event {
  enum class Kind : std::uint8_t {
    kTrap,  // number, lid of the sender
    kHeavySweepStart,
    kHeavySweepDone,  // discovery is complete
    kTablesBegin,     // OpenSM has called our engine
    kTablesComputed,
    kProved,
    kTablesWritten,  // handed to OpenSM, which sends them
    kLftBlock,       // guid, number = block: acknowledged by the switch
    kLftTop,         // guid, number = top
    kRoutingDone,
    kSubnetUp,
    kStateChange,
    // The fast path:
    kFaultLocated,
    kRepairBlock,      // guid, number = block: acknowledged by the switch
    kRepairConfirmed,  // read back, and in the subnet manager's tables
  };
  std::int64_t monotonic_us = 0;
  Guid guid = 0;
  std::uint32_t number = 0;
  Lid lid = 0;
  Kind kind = Kind::kTrap;
};

std::string_view name(Event::Kind kind);

}  // namespace selvedge
