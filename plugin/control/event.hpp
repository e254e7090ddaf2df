// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Events of a subnet and its tables with their times, for a timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

struct Event {
  enum class Kind : std::uint8_t {
    kTrap,  // `number`: of the trap; `lid`: of its sender
    kHeavySweepStart,
    kHeavySweepDone,  // discovery is complete
    kTablesBegin,     // OpenSM has called our engine
    kTablesComputed,
    kProved,
    kTablesWritten,  // the tables were handed to OpenSM, which sends them
    kLftBlock,       // the switch `guid` has acknowledged LFT block `number`
    kLftTop,         // `number` is the new LinearFDBTop of the switch `guid`
    kRoutingDone,
    kSubnetUp,
    kStateChange,
    // Events of the fast path (repair_controller.hpp):
    kFaultLocated,
    kRepairBlock,      // the switch `guid` has acknowledged LFT block `number`
    kBaseConfirmed,    // base LIDs were repaired first, and read back (base_step.hpp)
    kRepairConfirmed,  // the tables were read back and copied to the subnet manager's tables
  };
  std::int64_t monotonic_us = 0;
  Guid guid = 0;
  std::uint32_t number = 0;
  Lid lid = 0;
  Kind kind = Kind::kTrap;
};

inline constexpr std::size_t kEventKinds =
    static_cast<std::size_t>(Event::Kind::kRepairConfirmed) + 1;

std::string_view name(Event::Kind kind);

}  // namespace selvedge
