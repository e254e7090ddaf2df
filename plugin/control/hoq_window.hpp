// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// While a change is sent in an unproved order (SendPlan::Method::kWindow), packets may deadlock.
// Switches then drop them after the head-of-queue lifetime (IBA 1.3 §18.2.5.4). OpenSM sets it to
// about a second; HoqWindow lowers it while the change is sent.
#pragma once

#include <vector>

#include "plugin/control/locate.hpp"

namespace selvedge {

class HoqWindow {
 public:
  /// `life`: the lifetime is 4.096 µs × 2^life. `fabric`: as it is now. All arguments must outlive
  /// the object.
  HoqWindow(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric, unsigned life)
      : smps_(smps), settings_(settings), fabric_(fabric), life_(life) {}

  /// Lowers the lifetime at every switch port with a cable to another switch and a longer lifetime.
  /// Returns at how many ports the switch confirms it.
  unsigned lower();
  /// Restores what lower() found. Returns at how many ports the switch confirms it. OpenSM restores
  /// the others when it next configures the port.
  unsigned restore();

 private:
  unsigned set(std::vector<SmpRequest> requests);

  SmpTransport& smps_;
  const SmpSettings& settings_;
  const Fabric& fabric_;
  const unsigned life_;
  std::vector<SmpRequest> lowered_;  // with the PortInfo before
};

}  // namespace selvedge
