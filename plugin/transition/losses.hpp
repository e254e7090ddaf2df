// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests whether a send plan (order.hpp) loses packets. After a fault packets are lost anyway. But
// no packet should be lost if links and switches are taken out of use on purpose while they work.
//
// A packet counts if its source, a host or a switch's own port 0, has a path to its DLID in the
// tables before the plan and in the tables after it. It is lost if some LFT entry that it may meet
// leads nowhere, or an SL2VL row maps it to VL 15, or if it may loop. As in safety.hpp, a packet
// may meet the old or the new value of each entry that a phase changes, and packets of earlier
// phases stay in flight until a drain. So a plan for which none() holds loses no packet, whatever
// the timing. Multicast packets are not examined.
#pragma once

#include <optional>
#include <vector>

#include "plugin/transition/order.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

struct Losses {
  std::vector<Lid> lids;           // DLIDs whose packets may be lost, ascending
  std::optional<Witness> witness;  // how a packet for the first of `lids` is lost

  bool none() const { return lids.empty(); }
};

/// `fabric`: the fabric during the plan, including the links and switches about to be taken out of
/// use.
Losses losses(const Fabric& fabric, const Tables& from, const SendPlan& plan);

}  // namespace selvedge
