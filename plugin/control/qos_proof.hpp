// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Proves tables as they are written for the administrator's QoS levels (tables/qos_levels.hpp),
// beside the proof of the engine's tables.
#pragma once

#include <optional>
#include <string>

#include "plugin/control/plan.hpp"
#include "plugin/tables/qos_levels.hpp"

namespace selvedge {

/// Why the plan's tables, as they are written, are not free of loops and deadlock on every level,
/// or leave pairs without a path that the plan has; nullopt if they hold. The levels share no VL
/// unless the engine has one VL only, where every SL is proved together with all others; so no
/// cycle can lead from one level to another.
std::optional<std::string> fault_of_levels(const Plan& plan, const QosLevels& levels);

}  // namespace selvedge
