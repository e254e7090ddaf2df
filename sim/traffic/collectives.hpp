// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Collectives: every host has a fixed list of messages, and rounds of it. A round begins when all
// messages of the one before have arrived everywhere: a barrier that costs nothing but a tick. What
// is lost counts as arrived, so that a collective always comes to its end.
#pragma once

#include <memory>

#include "sim/traffic/ends.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// all-to-all: host i sends to i + 1, i + 2, … i + n − 1 (mod n), in this order; with window > 0 no
/// more than `window` messages under way, else one behind the other.
std::unique_ptr<Traffic> all_to_all(const TrafficSpec& spec, const Ends& ends, const Model& model);

/// ring-allreduce: 2 (n − 1) steps, in each of which host i sends one message to i + 1 (mod n); it
/// takes step s when it has received s messages (Patarasuk & Yuan 2009).
std::unique_ptr<Traffic> ring_allreduce(const TrafficSpec& spec, const Ends& ends,
                                        const Model& model);

}  // namespace selvedge::sim
