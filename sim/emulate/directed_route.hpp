// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a node's subnet management interface does with a directed-route SMP (IBA 1.3 §14.2.2), as a
// function. It reads and writes hop pointer and return path, and returns where the SMP goes next.
// On the way out and on the way back the directed route may have a LID-routed part before or after
// it: then DrSLID or DrDLID is not the permissive LID.
#pragma once

#include "sim/control/mad.hpp"

namespace selvedge::sim {

struct DirectedStep {
  enum class Next : std::uint8_t {
    kDeliver,  // to this node's agent or manager
    kOut,      // over `port`
    kByLid,    // LID-routed from here, to `lid`; 0: to the packet's DLID
    kDiscard,
  };
  Next next = Next::kDiscard;
  PortNum port = 0;
  Lid lid = 0;
};

/// What one node does with the SMP; writes its hop pointer and return path. `arrival`: the port by
/// which the SMP came; for an SMP that begins here, the adapter's port or a switch's port 0.
/// `begins`: the SMP begins here. `at_lid`: a LID-routed part of its route has ended at this node.
DirectedStep directed_step(Mad& mad, bool is_switch, PortNum arrival, bool begins, bool at_lid);

}  // namespace selvedge::sim
