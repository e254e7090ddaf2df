// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Closed loop: every host has `window` places. A place sends a request; when this has been
// delivered (or, with response_bytes, when the answer to it has), it thinks and sends the next one.
// A request of which a packet was lost, or of whose answer one was, has ended too: its place thinks
// and sends the next. What starts by a delivery starts a tick later.
#pragma once

#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

/// spec.window ≥ 1. Throws InputError for a window too large for memory and for a mean time out of
/// range.
std::unique_ptr<Traffic> closed_loop(const TrafficSpec& spec, const Ends& ends, const Model& model,
                                     std::unique_ptr<Pattern> pattern, std::uint64_t seed);

}  // namespace selvedge::sim
