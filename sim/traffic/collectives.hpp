// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Collectives: every host sends a fixed list of messages in each round. A round begins one tick
// after the last message of the round before has arrived, as with an ideal barrier. A lost message
// counts as arrived, so a round always ends.
#pragma once

#include <memory>

#include "sim/traffic/spec.hpp"
#include "sim/traffic/terminals.hpp"

namespace selvedge::sim {

/// all-to-all: of n hosts, host i sends to i + 1, i + 2, … i + n − 1 (mod n), in this order. With
/// window > 0 a host has at most `window` messages under way; else it queues all at once.
std::unique_ptr<Traffic> all_to_all(const TrafficSpec& spec, const Terminals& terminals,
                                    const Model& model);

/// ring-allreduce: 2 (n − 1) steps, in each of which host i sends one message to i + 1 (mod n). The
/// host starts step s, counted from 0, when it has received s messages (Patarasuk & Yuan 2009).
std::unique_ptr<Traffic> ring_allreduce(const TrafficSpec& spec, const Terminals& terminals,
                                        const Model& model);

}  // namespace selvedge::sim
