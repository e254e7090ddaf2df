// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// [faults] of a point, in the order in which they happen.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

inline constexpr double kNsPerUs = 1000;

struct FaultStep {
  Tick at = 0;
  bool mend = false;
  std::string what;  // "S-0-0:2", for people
  /// The cables that go down or come up by it, by either channel; a switch is all of its cables.
  /// Not those that another fault has cut already, or still holds when this one is mended.
  std::vector<Channel> links;
  std::size_t held = 0;  // so many cables that are to be mended, and that another fault holds
};

/// Sorted by time; at the same time, cuts before mends, so that a cable that passes from one fault
/// to another stays down. Throws InputError for names that fit nothing and for more random cables
/// than there are.
std::vector<FaultStep> plan_faults(const FaultChoice& choice, const Fabric& fabric,
                                   const Tempo& tempo);

/// "cut S-0-0:2"; "mended S-0-0:2, which another fault holds".
std::string describe_step(const FaultStep& step);

}  // namespace selvedge::sim
