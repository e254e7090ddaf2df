// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Does a plan lose packets on the way? Nobody minds after a fault, when most are lost anyway; but
// what is taken out of use while it works (drained) should take nothing with it.
//
// A packet counts if its source, a host or a switch's own port, has a path to its DLID by the
// tables before the plan and by those after. It is lost if at some switch the entry that it may
// meet leads nowhere or an SL2VL row says VL 15, or if it can come round. As with deadlock
// (safety.hpp), a packet may meet the old or the new value of whatever a phase writes, and packets
// of earlier phases stay under way until a drain; so a plan that is found to lose nothing loses
// nothing, whatever the timing. Multicast is not looked at.
#pragma once

#include <optional>
#include <vector>

#include "plugin/transition/order.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct Losses {
  std::vector<Lid> lids;           // whose packets may be lost, ascending
  std::optional<Witness> witness;  // for the first of them

  bool none() const { return lids.empty(); }
};

/// `fabric`: as it is while the plan is carried out; what is about to be taken out is in it.
Losses losses(const Fabric& fabric, const Tables& from, const SendPlan& plan);

}  // namespace selvedge
