// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Breaks a receiver in a simulated network, and tells whether the simulation noticed.
#pragma once

#include <stdexcept>

#include "sim/hca/protocol_traffic.hpp"
#include "sim/model/network.hpp"
#include "tests/unit/protocol/inspect.hpp"

namespace selvedge::sim::test {

enum class Found { kNotBroken, kNothing, kStalled, kThrown };

/// Breaks the first receiver that `mutate` can break, and runs on for at most 100 ms. A receiver
/// that has evicted two packets since may have got rid of what was wrong, and counts as not broken
/// if nothing is found.
template <class Mutate>
Found break_receiver(const Fabric& fabric, const Tables& tables, const Model& model,
                     const HcaSpec& spec, Traffic& above, std::uint64_t seed, Mutate&& mutate) {
  ProtocolTraffic traffic(spec, model, above, fabric.num_hosts(), fabric.num_hosts());
  Network network(fabric, tables, model, traffic, seed);
  const Tick step = model.time_base.at(1'000);
  Tick end = model.time_base.at(1e9);
  bool broken = false;
  const protocol::Receiver* receiver = nullptr;
  std::uint64_t evicted = 0;
  try {
    while (!traffic.idle() && network.now() < end) {
      network.run(network.now() + (broken ? 100 * step : step));
      traffic.for_each_end([&](HostId, const ConnectionEnd& e) {
        auto& connection = const_cast<protocol::Connection&>(e.connection);
        if (broken || !mutate(*connection.receiver())) return;
        broken = true;
        receiver = connection.receiver();
        evicted = receiver->counters().evicted;
        end = network.now() + 100'000 * step;
      });
    }
  } catch (const std::logic_error&) {
    return Found::kThrown;
  }
  if (!broken) return Found::kNotBroken;
  if (!traffic.idle()) return Found::kStalled;
  return receiver->counters().evicted >= evicted + 2 ? Found::kNotBroken : Found::kNothing;
}

}  // namespace selvedge::sim::test
