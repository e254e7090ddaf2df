// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Self-routing trees (docs/simulator.md, "Explicit Adaptation Requests"): what a network reports of
// a leaf switch that sends a flow by another port. A flow is what a leaf switch sends to one host.
#pragma once

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

inline constexpr unsigned kEarBytes = 8;  // Zahavi 2012 §5.2: as messages of flow control

struct FlowMove {
  Tick at = 0;  // packets that are routed from the next tick on take the new port
  SwitchId leaf = kNoSwitch;
  HostId to = kNoHost;
  PortNum from_port = kNoPort, to_port = kNoPort;
  friend bool operator==(const FlowMove&, const FlowMove&) = default;
};

}  // namespace selvedge::sim
