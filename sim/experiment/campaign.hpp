// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All points of an experiment, but for those that the results have already; over this machine's
// cores, and over the ranks of an MPI job. Results are the same in every case.
#pragma once

#include <string>

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/ranks.hpp"
#include "sim/experiment/results.hpp"

namespace selvedge::sim {

inline constexpr unsigned kMostJobs = 1024;

struct CampaignOptions {
  unsigned jobs = 0;  // at a time, in each process; 0 = one a core
  bool allow_unproved = false;
  /// Of a job array: only the points whose place is `part` modulo `parts`.
  unsigned part = 0, parts = 1;
};

struct CampaignCount {
  std::size_t points = 0;     // of the part, different ones
  std::size_t simulated = 0;  // now
  std::size_t found = 0;      // there before
};

/// `results` is rank 0's; null elsewhere. Everything that is wrong with any point that is to be
/// simulated is said before the first one is begun. Throws InputError, EnvironmentError.
CampaignCount run_campaign(const Experiment& experiment, Results* results, Ranks& ranks,
                           const CampaignOptions& options);

}  // namespace selvedge::sim
