// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The slow way to count what tables survive: every combination is a fabric of its own, in which all
// pairs are walked over all their LIDs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/verify/survival.hpp"

namespace survival_reference {

struct Counts {
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;
  std::optional<selvedge::Fault> first_singular;
  /// Where the walk and a full proof (any_lid) see the same combination differently.
  std::string contradiction;
};

/// All combinations of K, in lexicographic order.
Counts count(const selvedge::Fabric& fabric, const selvedge::Tables& tables, selvedge::FaultKind of,
             unsigned faults);

/// What differs, if anything.
std::optional<std::string> difference(const Counts& expected, const selvedge::Survival& found);

/// Is the witness what it says: a combination that leaves this pair connected and without a path,
/// or with a cycle?
bool confirms(const selvedge::Fabric& fabric, const selvedge::Tables& tables,
              const selvedge::SurvivalWitness& witness);

}  // namespace survival_reference
