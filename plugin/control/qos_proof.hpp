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

/// Proves the plan's tables as they are written, on every level. Returns nullopt, or why they have
/// loops or deadlocks or leave pairs without a path that the plan has. The levels share no VL,
/// unless the engine has one VL only; then every SL is proved together with all others. So no cycle
/// can lead from one level to another.
std::optional<std::string> fault_of_levels(const Plan& plan, const QosLevels& levels);

}  // namespace selvedge
