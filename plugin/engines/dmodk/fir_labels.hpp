// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The names that Gómez et al. 2007 §2 give to the parts of a k-ary n-tree: host p = p_(n−1)…p_0,
// switch <s, o> with o = o_(n−2)…o_0, descending links 0 … k−1, ascending links k … 2k−1. Here each
// tuple is one number, whose digits in base k are the tuple. The names are derived from the
// fabric's cables (tree/levels.hpp, tree/columns.hpp); ports may be cabled in any order.
#pragma once

#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// The size of a k-ary n-tree, and the numbers that follow from it.
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
  /// The index of a switch <s, o>; switches are numbered stage by stage.
  std::uint32_t index(unsigned stage, std::uint32_t o) const { return stage * stage_size() + o; }
  /// The switches of the last stage have no ascending links.
  unsigned links(unsigned stage) const { return stage + 1 == n ? k : 2 * k; }

  friend bool operator==(const KaryShape&, const KaryShape&) = default;
};

struct KaryLabels {
  KaryShape shape;
  std::vector<SwitchId> switches;  // per index
  std::vector<HostId> hosts;       // per p
  std::vector<PortNum> ports;      // [index][link], 2k each; kNoPort where there is no link
};

/// Nothing unless the fabric is a complete k-ary n-tree, with one cable between neighbours and k
/// hosts at each switch of stage 0.
std::optional<KaryLabels> label_k_ary_tree(const Fabric& fabric);

}  // namespace selvedge
