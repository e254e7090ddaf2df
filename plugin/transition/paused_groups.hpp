// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which ports multicast groups lose while they pause (order.hpp). Packets of an old multicast tree
// may close a cycle with new paths. While groups pause, each keeps only those ports between
// switches by which packets make the same turns, on the same VLs, before the change and after it:
// ports that the new tree has too, and whose SL2VL rows do not change. Such turns are part of the
// old tables and of the new ones. So if all paths that change are taken out until they have
// drained, each state of the change is a part of one of these two, which are both proved. Ports to
// hosts end paths, so groups keep them.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <vector>

#include "plugin/tables/delta.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge::transition {

/// The writes by which the groups of `from` pause for the change `delta`, sorted by MLID, then by
/// switch. `keep_members`: ports to hosts stay also where the new tables have none.
std::vector<MftChange> paused_ports(const Fabric& fabric, const Tables& from, const Delta& delta,
                                    bool keep_members);

/// The changes of groups from `paused`, the tables while groups pause, to `from` + `delta`.
std::vector<MftChange> resumed_ports(const Fabric& fabric, const Tables& from, const Tables& paused,
                                     const Delta& delta);

/// The phase in which the subnet manager writes the groups' new ports after the plan, for its
/// proof: each switch has its ports of before, its new ones, or some of both. A packet may come by
/// an old port of one switch and leave by a new port of the next.
SendPhase ports_to_come(const Tables& from, const SendPlan& plan, const Delta& delta);

}  // namespace selvedge::transition
