// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// [faults] of a point, in the order in which they happen.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

struct FaultStep {
  Tick at = 0;
  bool mend = false;
  std::string what;            // "S-0-0:2", for people
  std::vector<Channel> links;  // either channel of each cable; a switch is all of its cables
};

/// Sorted by time; at the same time, cuts before mends. Throws InputError for names that fit
/// nothing and for more random cables than there are.
std::vector<FaultStep> plan_faults(const FaultChoice& choice, const Fabric& fabric,
                                   const Tempo& tempo);

}  // namespace selvedge::sim
