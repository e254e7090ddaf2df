// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a node's subnet management interface does with a directed-route SMP (IBA 1.3 §14.2.2): one
// step as a function. It reads and writes hop pointer and return path, and says what is next. Both
// halves may be combined with a LID-routed part before or after the directed one: DrSLID and DrDLID
// that are not permissive.
#pragma once

#include "sim/control/mad.hpp"

namespace selvedge::sim {

struct DirectedStep {
  enum class Next : std::uint8_t {
    kDeliver,  // to this node's agent or manager
    kOut,      // over `port`
    kByLid,    // LID-routed from here, to `lid`
    kDiscard,
  };
  Next next = Next::kDiscard;
  PortNum port = 0;
  Lid lid = 0;
};

/// At a node. `arrival`: the port by which it came; for a packet that begins here, an adapter's
/// port or a switch's 0. `begins`: it begins here. `at_lid`: it came LID-routed to this node.
DirectedStep directed_step(Mad& mad, bool is_switch, PortNum arrival, bool begins, bool at_lid);

}  // namespace selvedge::sim
