// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A slow implementation of the count of faults that tables survive: for every combination of faults
// it makes the damaged fabric and follows the paths of all pairs to all their LIDs.
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
  /// A combination for which the walk and a full proof (any_lid) disagree; "" if there is none.
  std::string contradiction;
};

/// Counts over all combinations of `faults` faults, in lexicographic order.
Counts count(const selvedge::Fabric& fabric, const selvedge::Tables& tables, selvedge::FaultKind of,
             unsigned faults);

/// The difference between both results, if there is one.
std::optional<std::string> difference(const Counts& expected, const selvedge::Survival& found);

/// Whether the witness is right: its faults leave its pair connected but without a path, or leave a
/// dependency cycle.
bool confirms(const selvedge::Fabric& fabric, const selvedge::Tables& tables,
              const selvedge::SurvivalWitness& witness);

}  // namespace survival_reference
