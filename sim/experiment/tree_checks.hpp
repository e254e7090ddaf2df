// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Claims about the tables of trees, which need no simulation. Each check covers all k-ary n-trees
// with 2 ≤ k ≤ k_most and 1 ≤ n ≤ n_most and counts the counterexamples to the claim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace selvedge::sim {

struct TreeCheck {
  std::string_view name, help;
  std::uint64_t (*count)(unsigned k_most, unsigned n_most);
};

/// dmodk-stage-loads: stages, ascending and descending separately, whose links do not all carry the
/// same number of paths between hosts (Gómez 2007 §4). dmodk-one-digit-links: pairs (last
/// component, stage) where paths to the hosts of that component use more or less than one in k of
/// the ascending links (§5.2.1). fir-registers: trees where an entry of dmodk's tables is not the
/// port that the registers give (§3.1). ir-registers: trees where it is none of the ports that the
/// registers allow (§4.1).
std::span<const TreeCheck> tree_checks();

}  // namespace selvedge::sim
