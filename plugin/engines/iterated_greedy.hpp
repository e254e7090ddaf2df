// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Iterated greedy (Culberson 1992): items are put one after another into the first layer that takes
// them; then the layers of one round, in another order, are the input of the next. Engines use it
// to distribute paths over SLs.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "plugin/fabric/stable_random.hpp"

namespace selvedge {

/// Changes the order of the items for the next round: the order of the layers, and of the items
/// within a layer. Items that shared a layer remain together, so the next round needs no more
/// layers. `layer_of`: per item its layer, below `layers`.
template <class Layer>
void reorder_layers(const std::vector<Layer>& layer_of, unsigned layers, StableRandom& random,
                    std::vector<std::size_t>& order) {
  std::vector<unsigned> rank(layers);
  std::iota(rank.begin(), rank.end(), 0u);
  if (random.below(2) == 0)
    std::ranges::reverse(rank);
  else
    random.shuffle(rank);
  std::vector<std::vector<std::size_t>> by_rank(layers);
  for (const std::size_t item : order) by_rank[rank[layer_of[item]]].push_back(item);
  order.clear();
  for (std::vector<std::size_t>& together : by_rank) {
    if (random.below(3) == 0) random.shuffle(together);
    order.insert(order.end(), together.begin(), together.end());
  }
}

}  // namespace selvedge
