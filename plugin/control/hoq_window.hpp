// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// While a change is sent in an unproved order (SendPlan::Method::kWindow), packets may deadlock.
// Switches then drop them after the head-of-queue lifetime (IBA 1.3 §18.2.5.4). OpenSM sets this
// lifetime to about a second; HoqWindow lowers it while the change is sent.
#pragma once

#include <vector>

#include "plugin/control/locate.hpp"

namespace selvedge {

/// HOQLife in a PortInfo.
unsigned hoq_life_of(const std::array<std::uint8_t, kSmpDataBytes>& port_info);
/// The request for the PortInfo of a switch's port.
SmpRequest port_info_request(const SmpSettings& settings, const SmpPath& path, PortNum port);
/// The request that sets HOQLife and nothing else. `read`: a request for PortInfo, with the data of
/// its answer.
SmpRequest with_hoq_life(SmpRequest read, unsigned life);

class HoqWindow {
 public:
  /// `life`: HOQLife; the lowered lifetime is 4.096 µs × 2^life. `fabric`: the present fabric. The
  /// first three arguments must outlive the object.
  HoqWindow(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric, unsigned life)
      : smps_(smps), settings_(settings), fabric_(fabric), life_(life) {}

  /// Lowers the lifetime at every switch port that has a cable to another switch and a longer
  /// lifetime. Returns the number of ports for which the switch confirms the new value.
  unsigned lower();
  /// Restores the lifetimes that lower() found. Returns the number of ports for which the switch
  /// confirms the old value. OpenSM restores the other ports when it next configures them.
  unsigned restore();

 private:
  unsigned set(const std::vector<SmpRequest>& requests);

  SmpTransport& smps_;
  const SmpSettings& settings_;
  const Fabric& fabric_;
  const unsigned life_;
  std::vector<SmpRequest> lowered_;  // per lowered port, the Set request that restores its PortInfo
};

}  // namespace selvedge
