// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A point's [faults], in the order of their times.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

inline constexpr double kNsPerUs = 1000;

struct FaultStep {
  Tick at = 0;
  bool restore = false;
  std::string what;  // "S-0-0:2", for messages
  /// The cables that this step cuts or restores, either channel of each; a switch stands for all of
  /// its cables. Without cables that another fault has cut already, or still holds when this one is
  /// restored.
  std::vector<Channel> links;
  std::size_t still_down = 0;  // cables that this step leaves down, since another fault holds them
};

/// Sorted by time. At the same time cuts precede restores, so a cable that one fault releases and
/// another cuts stays down. Throws InputError for unknown names and for more random cables than the
/// fabric has.
std::vector<FaultStep> plan_faults(const FaultChoice& choice, const Fabric& fabric,
                                   const TimeBase& time_base);

/// "cut S-0-0:2"; "restored S-0-0:2: another fault keeps it down".
std::string describe_step(const FaultStep& step);

}  // namespace selvedge::sim
