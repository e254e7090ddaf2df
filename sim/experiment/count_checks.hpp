// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Checks of claims that give a number without a simulation: about path bits (Kim 2007) and EBR's
// tables (Montañana 2008). They have no bounds k_most and n_most.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace selvedge::sim {

struct CountCheck {
  std::string_view name, help;
  std::uint64_t (*count)();
};

/// The checks, each with what it counts:
///   kim-cycles          cycles of the graph of Fig. 4 that the text does not give, or the reverse
///   kim-path-bits       of the six paths of Fig. 4 whose bits the text gives, those with others
///   kim-table-entries   entries of switch a's multipath table (Fig. 5c)
///   kim-conflicts       strings of the graph of Fig. 4 whose paths begin with different cables
///   ebr-table-6.1, -6.2 rows whose action is not the thesis'
std::span<const CountCheck> count_checks();

}  // namespace selvedge::sim
