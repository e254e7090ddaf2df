// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The names that Gómez et al. 2007 §2 give to the parts of a k-ary n-tree. Hosts are p =
// p_(n−1)…p_0. Switches are <s, o>: stage s, and o = o_(n−2)…o_0. The links of a switch are
// descending, 0 … k−1, or ascending, k … 2k−1. Here each tuple of components (p or o) is one
// number, whose digits in base k are the components. The names are derived from the fabric's cables
// (tree/levels.hpp, tree/columns.hpp), so ports may be cabled in any order.
#pragma once

#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// The size of a k-ary n-tree, and the numbers of its parts.
struct KaryShape {
  unsigned k = 0, n = 0;

  std::uint32_t power(unsigned exponent) const {
    std::uint32_t value = 1;
    for (unsigned i = 0; i < exponent; ++i) value *= k;
    return value;
  }
  std::uint32_t hosts() const { return power(n); }
  std::uint32_t stage_size() const { return power(n - 1); }
  std::uint32_t switches() const { return n * stage_size(); }
  /// The index of switch <stage, o>; switches are numbered stage by stage.
  std::uint32_t index(unsigned stage, std::uint32_t o) const { return stage * stage_size() + o; }
  /// The number of links of a switch. Switches of the last stage have no ascending links.
  unsigned links(unsigned stage) const { return stage + 1 == n ? k : 2 * k; }

  friend bool operator==(const KaryShape&, const KaryShape&) = default;
};

struct KaryLabels {
  KaryShape shape;
  std::vector<SwitchId> switches;  // [index of a switch <s, o>]
  std::vector<HostId> hosts;       // [number p of a host]
  std::vector<PortNum> ports;      // [index][link], 2k for each index; kNoPort: no such link
};

/// Labels a fabric. Returns nullopt unless it is a complete k-ary n-tree with one cable between
/// neighbours and k hosts at each switch of stage 0.
std::optional<KaryLabels> label_k_ary_tree(const Fabric& fabric);

}  // namespace selvedge
