// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Asks the SA which SL every source has for every DLID.
//
// Sources are hosts, each with its base LID, and of switches without hosts the switch itself. With
// up to kMostHosts hosts every source is asked about every LID of others. With more, one host of
// each switch is asked about the LIDs of one host of each switch; the others are taken to have the
// same SLs, and a draw of further questions checks that.
//
// An SA may answer the same question differently. So up to kAskedAgain questions, drawn, are asked
// again. If an answer differs, all questions are repeated, in rounds, until a round brings no SL
// that its pair has not had before, at most kMostRounds rounds and kMostRepeated questions. A rare
// SL may still be missing.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plugin/capture/subnet_access.hpp"
#include "plugin/tables/further_sls.hpp"

namespace selvedge::capture {

inline constexpr std::uint32_t kMostHosts = 1000;
inline constexpr std::uint64_t kAskedAgain = 10'000;
inline constexpr std::uint64_t kChecked = 100'000;  // of what a sample assumes
inline constexpr unsigned kMostRounds = 64;
inline constexpr std::uint64_t kMostRepeated = 5'000'000;  // questions in all these rounds

struct PathSls {
  FurtherSls further;
  std::uint64_t questions = 0;  // asked in all
  std::uint64_t pairs = 0;      // different ones: (source, DLID)
  bool sampled = false;
  std::uint64_t deviations = 0;  // checked answers that the sample had not let expect
  std::uint64_t changing = 0;    // pairs with more than one answer
  unsigned rounds = 1;
  std::uint32_t hosts_of_their_own =
      0;  // hosts whose SLs differ from those of their switch's first
  std::vector<std::string> remarks;
};

/// Fills in the SLs of `tables`. Throws Unsettled if the SA does not answer.
PathSls read_path_sls(SubnetAccess& access, const Fabric& fabric, std::uint64_t seed,
                      std::uint32_t most_hosts, Tables& tables, Progress& progress);

}  // namespace selvedge::capture
