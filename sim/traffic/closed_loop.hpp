// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Closed loop: every host has `window` outstanding requests. A request ends when it is delivered,
// or with response_bytes when its answer is delivered. If a packet of the request or of its answer
// is lost, it ends when that message's other packets have arrived or are lost. Then, after a random
// think time, the host sends the next request. A message that a delivery triggers is generated a
// tick later.
#pragma once

#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

/// Makes traffic with spec.window ≥ 1 outstanding requests per host. Throws InputError for a window
/// too large for memory and for a think_ns out of range.
std::unique_ptr<Traffic> closed_loop(const TrafficSpec& spec, const Terminals& terminals,
                                     const Model& model, std::unique_ptr<Pattern> pattern,
                                     std::uint64_t seed);

}  // namespace selvedge::sim
