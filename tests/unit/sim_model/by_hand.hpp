// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Small experiments in which every tick can be computed by hand.
#pragma once

#include <utility>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "scenario.hpp"

namespace selvedge::sim::test {

/// A model in which a byte takes a tick and buffers are large enough.
inline Model plain() {
  Model m;
  m.between_switches = m.to_hosts = {1, 10};
  m.routing = 20;
  m.input_blocks = m.output_blocks = 1024;
  m.arbitration_low = {{0, 1}};
  m.header_bytes = 4;
  m.mtu_bytes = 4096;
  return m;
}

inline Scenario on(Fabric fabric) {
  Scenario s;
  s.fabric = std::move(fabric);
  s.tables = find_engine("updn").compute(s.fabric, {}).tables;
  s.model = plain();
  s.until = 1'000'000;
  return s;
}

inline Planned at(Tick tick, HostId from, HostId to, std::uint32_t bytes) {
  return {from, {tick, to, bytes, 0}};
}

/// Hosts 0 and 1 at switch 0; 2 and 3 at switch 1; one cable.
inline Scenario dumbbell() { return on(assign_lids(mesh({2}, 2), 0)); }

}  // namespace selvedge::sim::test
