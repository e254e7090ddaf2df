// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Generated fabrics. Numbering, names and ports are fixed (docs/formats.md, "FABRIC"); GUIDs are
// consecutive and reproducible. The fabrics have no LIDs; assign_lids() gives them. Each generator
// throws InputError for sizes out of range: if a switch had too many ports, or if there were more
// switches and host ports than unicast LIDs.
//
// GUIDs are in the locally administered range. Switch s has 0x0200000000000001 + s. GUIDs of host
// adapters count from 0x0200000001000000; each adapter's is followed by those of its ports.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// A torus. `sizes`: slowest dimension first, each ≥ 3. A switch's ports for dimension i are 2i+1
/// towards −1 and 2i+2 towards +1; ports of hosts follow.
Fabric torus(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// A mesh: a torus without the wraparound cables. Sizes may be 1. Ports at an edge are unused.
Fabric mesh(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// A k-ary n-tree (Petrini & Vanneschi 1997): n ≥ 1 levels of k^(n−1) switches, k ≥ 2 hosts on each
/// leaf switch. Port u of a switch of level l that goes up leads to the switch of level l+1 with
/// digit l = u and otherwise the same digits. Digits are those of the switch's index in its level,
/// with digit 0 the least significant. Switches of the top level have k ports, others 2k.
Fabric k_ary_n_tree(unsigned k, unsigned n);
/// A folded Clos network: r leaf switches with n hosts and m uplinks each, and m spines with r
/// ports.
Fabric clos(unsigned n, unsigned r, unsigned m);
/// XGFT(h; m_1…m_h; w_1…w_h) (Öhring et al. 1995): a node of level i has m_i children and w_(i+1)
/// parents. The paper's level 0 is the hosts, its level 1 is level 0 of our switches. If w_1 > 1,
/// every host has w_1 ports, and its name is derived from its first leaf switch.
Fabric xgft(const std::vector<unsigned>& m, const std::vector<unsigned>& w);
/// A connected random graph without parallel cables and loops: each switch has `degree` cables to
/// others. If switches × degree is odd, one switch has one cable less. Ports from 1 on ascend with
/// the neighbour's id; hosts are at ports degree + 1 and above. The same seed makes the same fabric
/// on any machine. If `links` is given, surplus cables are removed at random until so many are
/// left; the graph stays connected.
inline constexpr unsigned kAllLinks = UINT32_MAX;
Fabric irregular(unsigned switches, unsigned degree, unsigned hosts, std::uint64_t seed,
                 unsigned links = kAllLinks);
/// A HyperX (Ahn 2009) with one cable between two switches: those that differ in one
/// coordinate only are joined. `sizes`: slowest dimension first, each ≥ 2. Ports ascend with the
/// dimension, then with the neighbour's coordinate; ports of hosts follow.
Fabric hyperx(const std::vector<unsigned>& sizes, unsigned hosts_per_switch = 1);
/// A dragonfly (Kim, Dally, Scott & Abts 2008) of a·h + 1 groups, any two joined by one cable. In a
/// group are `a` switches, each joined to all others there, with h cables to other groups and p
/// hosts. Ports: 1…a − 1 to the switches of the group, then h to groups, then hosts.
Fabric dragonfly(unsigned a, unsigned h, unsigned p);
/// A Slim Fly (Besta & Hoefler 2014) of 2·q² switches, any two at most two cables apart; q is a
/// prime from 5 on. Ports ascend with the neighbours' ids; ports of hosts follow.
Fabric slim_fly(unsigned q, unsigned hosts_per_switch);

}  // namespace selvedge
