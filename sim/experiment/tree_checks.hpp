// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Claims about the tables of trees, which need no simulation. Each check goes over all k-ary
// n-trees with 2 ≤ k ≤ k_most and 1 ≤ n ≤ n_most and counts what speaks against the claim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace selvedge::sim {

struct TreeCheck {
  std::string_view name, help;
  std::uint64_t (*count)(unsigned k_most, unsigned n_most);
};

/// dmodk-stage-loads: stages, up and down apart, whose links do not all carry the same number of
/// paths between hosts (Gómez 2007 §4). dmodk-one-digit-links: (last component, stage) where paths
/// to the hosts of that component use more or less than one in k of the links up (§5.2.1).
/// fir-registers, ir-registers: trees with an entry of dmodk's that is not the one port, or none of
/// the ports, that the registers allow (§3.1, §4.1).
std::span<const TreeCheck> tree_checks();

}  // namespace selvedge::sim
