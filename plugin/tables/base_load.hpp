// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How evenly base LIDs load the cables (bandwidth.hpp): the busiest channel compared with the mean.
// In a fabric with levels only the channels that go up are compared. The load down to a leaf switch
// is what its hosts receive, whatever the tables are; but the tables choose the way up.
#pragma once

#include "plugin/fabric/levels.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// A maximum of more than this multiple of the mean is reported.
inline constexpr double kUnevenBaseLoad = 1.3;

struct BaseLoad {
  Channel busiest = kNoChannel;   // kNoChannel: no path crosses a cable
  std::uint64_t max = 0;          // load of `busiest`, in ordered pairs of hosts
  double mean = 0;                // over the compared channels that carry any load
  std::uint64_t counted_max = 0;  // the highest load of these channels
  std::size_t used = 0;           // the number of these channels
  bool by_levels = false;         // whether only channels that go up are compared

  double ratio() const { return mean > 0 ? static_cast<double>(counted_max) / mean : 0; }
  bool uneven() const { return ratio() > kUnevenBaseLoad; }
};

BaseLoad base_load(const Fabric& fabric, const Tables& tables, const LevelHints& hints);

}  // namespace selvedge
