// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A campaign simulates those points of an experiment that are not in the results yet, on this
// machine's cores and on the ranks of an MPI job. The results do not depend on how the points are
// distributed.
#pragma once

#include <string>

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/ranks.hpp"
#include "sim/experiment/results.hpp"

namespace selvedge::sim {

inline constexpr unsigned kMaxJobs = 1024;

struct CampaignOptions {
  unsigned jobs = 0;  // points that each process simulates at a time; 0 = one per core
  bool allow_unproved = false;
  /// For job arrays: only the points whose index is `part` modulo `parts`.
  unsigned part = 0, parts = 1;
};

struct CampaignCount {
  std::size_t points = 0;     // points of this part, without duplicates
  std::size_t simulated = 0;  // in this run
  std::size_t found = 0;      // already in the results
};

/// Runs the campaign. `results`: null except on rank 0. Each rank checks all its points before it
/// simulates the first. An InputError or EnvironmentError of any rank is thrown at rank 0; the
/// points that other ranks finish are stored nevertheless.
CampaignCount run_campaign(const Experiment& experiment, Results* results, Ranks& ranks,
                           const CampaignOptions& options);

}  // namespace selvedge::sim
