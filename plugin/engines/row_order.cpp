// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/row_order.hpp"

#include <algorithm>
#include <compare>

namespace selvedge {

std::optional<Orientation> order_by_rows(const Regularity& form, const SwitchGraph& bare,
                                         const Components& pieces) {
  if (form.kind != Regularity::Kind::kTorus && form.kind != Regularity::Kind::kMesh) return {};
  Orientation orientation;
  const std::size_t dimensions = form.sizes.size();
  const std::uint32_t n = bare.num_switches();
  for (SwitchId s = 0; s < n; ++s) orientation.order.push_back(s);
  std::ranges::sort(orientation.order, [&](SwitchId a, SwitchId b) {
    const auto at = [&](SwitchId s) { return form.coordinates.begin() + s * dimensions; };
    const auto order = std::lexicographical_compare_three_way(at(a), at(a) + dimensions, at(b),
                                                              at(b) + dimensions);
    return order != 0 ? order < 0 : a < b;
  });
  orientation.rank.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) orientation.rank[orientation.order[i]] = i;
  // The parent of each switch is its neighbour of lowest rank. A switch without a neighbour of
  // lower rank is a root. If a component has several roots, the order is not used.
  orientation.tree.assign(n, kNoChannel);
  std::vector<std::uint8_t> rooted(pieces.count(), 0);
  for (const SwitchId s : orientation.order) {
    std::uint32_t least = orientation.rank[s];
    for (Arc a = bare.first[s]; a < bare.first[s + 1]; ++a) {
      if (orientation.rank[bare.target[a]] >= least) continue;
      least = orientation.rank[bare.target[a]];
      orientation.tree[s] = bare.channel[a];
    }
    if (orientation.tree[s] != kNoChannel) continue;
    if (rooted[pieces.of[s]]++ != 0) return {};
    orientation.roots.push_back(s);
  }
  return orientation;
}

}  // namespace selvedge
