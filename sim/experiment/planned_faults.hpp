// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A point's [faults], turned into steps (cuts and restores) in the order of their times.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

inline constexpr double kNsPerUs = 1000;

struct FaultStep {
  Tick at = 0;
  bool restore = false;
  std::string what;  // the link or switch, as "S-0-0:2", for messages
  /// The cables that this step cuts or restores, as either channel of each; a failed switch cuts
  /// all of its cables. A cable that another fault has cut already is not cut again; a cable that
  /// another fault still cuts is not restored.
  std::vector<Channel> links;
  std::size_t still_down = 0;  // cables that this step does not restore, as another fault cuts them
};

/// The steps, sorted by time. At the same time cuts precede restores, so a cable that one fault
/// restores and another cuts stays down. Throws InputError for unknown names and for more random
/// cables than the fabric has.
std::vector<FaultStep> plan_faults(const FaultChoice& choice, const Fabric& fabric,
                                   const TimeBase& time_base);

/// The step in words: "cut S-0-0:2"; "restored S-0-0:2: another fault keeps it down".
std::string describe_step(const FaultStep& step);

}  // namespace selvedge::sim
