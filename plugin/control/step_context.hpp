// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the steps from one plan to the next need from their surroundings.
#pragma once

#include <functional>

#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"

namespace selvedge {

struct StepContext {
  bool may_drain = true;  // whether the sender may wait until packets have left the switches
  /// Whether paths that keep their entries may lose their route meanwhile (OrderRequest).
  bool clear_at_rows = false;
  /// Whether multicast groups may lose packets meanwhile (OrderRequest).
  bool may_pause_groups = true;
  const Clock* clock = nullptr;  // measures Plan::steps; null: the times stay 0
  std::function<void(Event::Kind)> report = [](Event::Kind) {};
};

}  // namespace selvedge
