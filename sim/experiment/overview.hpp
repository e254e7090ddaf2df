// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The summary of the points that `selvedge-sim run` prints at its end.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/experiment/results.hpp"

namespace selvedge::sim {

/// A table of the first `most` finished points, in the order of the plan (schema.hpp): the swept
/// keys' values, outcome (steady, saturated, undelivered or deadlocked), accepted traffic, latency
/// and diagnosis. Unfinished points have no line. "" if no point is finished.
std::string overview(Results& results, std::size_t most);

/// All points of the plan that are done, as objects: `point`, the swept `keys` (as text), and the
/// figures as results.csv names them.
nlohmann::ordered_json points_done(Results& results);

}  // namespace selvedge::sim
