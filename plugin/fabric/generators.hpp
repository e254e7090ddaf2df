// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics made by rule. Numbering, names and ports are fixed (CONTRACTS.md, "FABRIC"); GUIDs are dense
// and reproducible. No LIDs: assign_lids() gives them. Each throws InputError for sizes out of range.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Sizes, slowest dimension first, each ≥ 3. Ports of dimension i: 2i+1 towards −1, 2i+2 towards +1.
Fabric torus(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// As torus, without the wraparound cables; sizes may be 1; ports at an edge stay unused.
Fabric mesh(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// n levels of k^(n−1) switches, k hosts a leaf switch (Petrini & Vanneschi 1997; Gómez 2007 §2).
Fabric k_ary_n_tree(unsigned k, unsigned n);
/// Folded Clos: r leaf switches with n hosts and m uplinks each, m spines.
Fabric clos(unsigned n, unsigned r, unsigned m);
/// XGFT(h; m_1…m_h; w_1…w_h) (Öhring et al. 1995): m children, w parents a level.
Fabric xgft(const std::vector<unsigned>& m, const std::vector<unsigned>& w);
/// A connected random graph without parallel cables: `degree` cables a switch as far as parity lets.
Fabric irregular(unsigned switches, unsigned degree, unsigned hosts, std::uint64_t seed);

}  // namespace selvedge
