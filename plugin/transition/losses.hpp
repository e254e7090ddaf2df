// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests whether a plan loses packets. After a fault packets are lost anyway. But links and switches
// that are taken out of use while they work (drained) should lose none.
//
// A packet counts if its source, a host or a switch's own port, has a path to its DLID in the
// tables before the plan and in those after. It is lost if at some switch an entry that it may meet
// leads nowhere, or an SL2VL row maps it to VL 15, or if it may loop. As with deadlock
// (safety.hpp), a packet may meet the old or the new value of each entry of a phase. Packets of
// earlier phases stay in flight until a drain. So a plan without losses here loses no packet,
// whatever the timing. Multicast is not covered.
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

/// `fabric`: as it is during the plan, including what is about to be taken out of use.
Losses losses(const Fabric& fabric, const Tables& from, const SendPlan& plan);

}  // namespace selvedge
