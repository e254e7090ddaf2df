// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the steps from one plan to the next need from their surroundings.
#pragma once

#include <functional>

#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/control/group_ports.hpp"

namespace selvedge {

struct StepContext {
  bool may_drain = true;  // whether the sender may wait until packets have left the switches
  /// Whether paths that keep their entries may lose their route meanwhile (OrderRequest).
  bool clear_at_rows = false;
  /// Whether multicast groups may lose packets meanwhile (OrderRequest).
  bool may_pause_groups = true;
  /// Ports that groups may have in the switches beside those of the plan before the change.
  GroupPorts group_ports = {};   // NOLINT(readability-redundant-member-init): for aggregates
  const Clock* clock = nullptr;  // measures Plan::steps; null: the times stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

}  // namespace selvedge
