// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// While an order is sent that no proof covers (SendPlan::Method::kWindow), packets that lock up are
// dropped when they have waited for the switches' head-of-queue lifetime (IBA 1.3 §18.2.5.4).
// OpenSM sets that to a second or so; for the time of the window it may be lower.
#pragma once

#include <vector>

#include "plugin/control/locate.hpp"

namespace selvedge {

class HoqWindow {
 public:
  /// `life`: 4.096 µs × 2^life. All must stay. `fabric`: as it is now.
  HoqWindow(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric, unsigned life)
      : smps_(smps), settings_(settings), fabric_(fabric), life_(life) {}

  /// At every port of a switch with a cable to another switch whose lifetime is longer; returns at
  /// how many the switch says that it is so now.
  unsigned lower();
  /// What lower() found, put back; returns at how many the switch says so. What is missing OpenSM
  /// puts back when it next sets the port up.
  unsigned restore();

 private:
  unsigned set(std::vector<SmpRequest> requests);

  SmpTransport& smps_;
  const SmpSettings& settings_;
  const Fabric& fabric_;
  const unsigned life_;
  std::vector<SmpRequest> lowered_;  // with what was there before
};

}  // namespace selvedge
