// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Checks of papers' claims about the tables of trees, which need no simulation. Each check covers
// all k-ary n-trees with 2 ≤ k ≤ k_most and 1 ≤ n ≤ n_most and counts the counterexamples to the
// claim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace selvedge::sim {

struct TreeCheck {
  std::string_view name, help;
  std::uint64_t (*count)(unsigned k_most, unsigned n_most);
};

/// The checks, each with what it counts as counterexamples (all claims are of Gómez 2007):
///   dmodk-stage-loads      stages, ascending and descending separately, whose links do not all
///                          carry the same number of paths between hosts (§4)
///   dmodk-one-digit-links  pairs (last digit of a destination's label, stage) where the paths to
///                          the hosts with that digit use more or less than one in k of the
///                          ascending links (§5.2.1)
///   fir-registers          trees where an entry of dmodk's tables is not the port that the FIR
///                          registers give (§3.1)
///   ir-registers           trees where an entry of dmodk's tables is none of the ports that the IR
///                          registers allow (§4.1)
std::span<const TreeCheck> tree_checks();

}  // namespace selvedge::sim
