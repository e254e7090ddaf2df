// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Generated fabrics. Numbering, names and ports are fixed (docs/formats.md, "FABRIC"); GUIDs are
// dense and reproducible. No LIDs: assign_lids() gives them. Each throws InputError for sizes out
// of range: too many ports for a switch, or more switches and host ports than a subnet has unicast
// LIDs.
//
// GUIDs lie in the locally administered range: switch s has 0x0200000000000001 + s; host adapters
// count from 0x0200000001000000, each followed by its ports.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Sizes, slowest dimension first, each ≥ 3. Ports of dimension i: 2i+1 towards −1, 2i+2 towards
/// +1; hosts follow.
Fabric torus(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// As torus, without the wraparound cables; sizes may be 1; ports at an edge stay unused.
Fabric mesh(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// n ≥ 1 levels of k^(n−1) switches, k ≥ 2 hosts a leaf switch (Petrini & Vanneschi 1997). Up port
/// u of a switch of level l leads to the switch of level l+1 with digit l = u and the same other
/// digits. Digit 0 is the least significant of the index. Switches of the top level have k ports,
/// others 2k.
Fabric k_ary_n_tree(unsigned k, unsigned n);
/// Folded Clos: r leaf switches with n hosts and m uplinks each, m spines with r ports.
Fabric clos(unsigned n, unsigned r, unsigned m);
/// XGFT(h; m_1…m_h; w_1…w_h) (Öhring et al. 1995): a node of level i has m_i children and w_(i+1)
/// parents. The paper's level 0 is the hosts; its level 1 is our switches of level 0. With w_1 > 1
/// every host has w_1 ports and is named after its first leaf switch.
Fabric xgft(const std::vector<unsigned>& m, const std::vector<unsigned>& w);
/// A connected random graph without parallel cables and loops: each switch has `degree` cables to
/// others. If switches × degree is odd, one switch has one less. Ports 1… ascend with the
/// neighbour's id; hosts are at port degree + 1 and up. The same seed makes the same fabric on any
/// machine.
Fabric irregular(unsigned switches, unsigned degree, unsigned hosts, std::uint64_t seed);

}  // namespace selvedge
