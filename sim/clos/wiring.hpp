// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A Clos network that need not be complete: leaf switches that act as input and as output switches,
// the middle switches above them, and the cables that are there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/clos/size.hpp"

namespace selvedge::sim {

struct Wiring {
  std::vector<unsigned> hosts;  // per leaf switch
  unsigned middles = 0;
  /// Per leaf switch and middle switch (leaf · middles + middle): whether the cable is there. In a
  /// folded network it carries flows up from the leaf and flows down to it.
  std::vector<bool> cable;
  /// In a folded network a flow between two hosts of one leaf switch uses no cable. In the paper's
  /// Clos, whose input and output switches differ, it uses two.
  bool folded = false;

  unsigned leaves() const { return static_cast<unsigned>(hosts.size()); }
  bool has(unsigned leaf, unsigned middle) const {
    return cable[std::size_t{leaf} * middles + middle];
  }
  bool complete() const {
    return std::ranges::all_of(cable, [](bool there) { return there; });
  }
  unsigned uplinks(unsigned leaf) const {
    const auto first = cable.begin() + std::ptrdiff_t{leaf} * middles;
    return static_cast<unsigned>(std::count(first, first + middles, true));
  }
  /// The middle switches through which a flow can go from one leaf switch to another.
  std::vector<unsigned> ways(unsigned from, unsigned to) const {
    std::vector<unsigned> usable;
    for (unsigned k = 0; k < middles; ++k)
      if (has(from, k) && has(to, k)) usable.push_back(k);
    return usable;
  }
};

/// The paper's CLOS(n, r, m), with all its links.
inline Wiring complete_clos(const ClosSize& size) {
  return {std::vector<unsigned>(size.r, size.n), size.m,
          std::vector<bool>(std::size_t{size.r} * size.m, true), false};
}

}  // namespace selvedge::sim
