// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The drawing of random combinations of faults. Draws are numbered, so that each can be repeated
// alone.
#pragma once

#include <algorithm>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// Draws a uniform random set of K elements (Floyd: Bentley 1987), ascending.
inline void draw(StableRandom random, Element elements, unsigned faults,
                 std::vector<Element>& drawn) {
  drawn.clear();
  for (Element top = elements - faults; top < elements; ++top) {
    const auto e = static_cast<Element>(random.below(std::uint64_t{top} + 1));
    const auto at = std::ranges::lower_bound(drawn, e);
    if (at != drawn.end() && *at == e)
      drawn.push_back(top);  // greater than all drawn so far
    else
      drawn.insert(at, e);
  }
}

/// The random stream of one draw. Each draw has its own, so that samples do not depend on the
/// number of threads.
inline StableRandom stream(std::uint64_t seed, std::uint64_t number) {
  return StableRandom(StableRandom(seed).next() + StableRandom(~number).next());
}

}  // namespace selvedge::survival
