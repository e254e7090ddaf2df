// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Open loop: messages are generated at a given rate, independent of the delivery of earlier ones.
#pragma once

#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

/// Makes traffic whose messages are generated at the rate of spec.load. Throws InputError for a
/// load or burst parameters out of range.
std::unique_ptr<Traffic> open_loop(const TrafficSpec& spec, const Terminals& terminals,
                                   const Model& model, std::unique_ptr<Pattern> pattern,
                                   std::uint64_t seed);

}  // namespace selvedge::sim
