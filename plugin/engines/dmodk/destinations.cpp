// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk/destinations.hpp"

#include <algorithm>
#include <span>

namespace selvedge {

Destinations number_destinations(const Fabric& fabric, const TreeLevels& tree,
                                 const std::vector<HostId>& first_hosts) {
  Destinations d;
  d.number_of.assign(fabric.top_lid() + 1u, Destinations::kNoNumber);
  d.piece_of.assign(fabric.top_lid() + 1u, 0);

  // The hosts of each leaf, sorted by id, including hosts that have lost their cable.
  std::vector<std::uint32_t> first(tree.leaves.size() + 1, 0);
  const auto place = [&](const Host& host) {
    return host.at == kNoSwitch ? TreeLevels::kNoPlace : tree.place[host.at];
  };
  for (const Host& host : fabric.hosts())
    if (place(host) != TreeLevels::kNoPlace) ++first[place(host) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<HostId> by_leaf(first.back());
  std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (place(fabric.host(h)) != TreeLevels::kNoPlace) by_leaf[fill[place(fabric.host(h))]++] = h;

  if (!first_hosts.empty()) {
    std::vector<std::uint32_t> rank(fabric.num_hosts(), UINT32_MAX);
    for (std::size_t i = first_hosts.size(); i-- > 0;)
      rank[first_hosts[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < tree.leaves.size(); ++i)
      std::ranges::stable_sort(std::span(by_leaf).subspan(first[i], first[i + 1] - first[i]), {},
                               [&](HostId h) { return rank[h]; });
  }

  std::uint32_t piece = UINT32_MAX, number = 0;
  const auto add = [&](Lid base, unsigned count, PortNum port, std::uint32_t from) {
    d.groups.push_back({base, static_cast<std::uint16_t>(count), port, from});
    for (unsigned offset = 0; offset < count; ++offset) {
      d.number_of[base + offset] = from + offset;
      d.piece_of[base + offset] = piece;
    }
  };
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const SwitchId leaf = tree.leaves[i];
    if (tree.pieces.of[leaf] != piece) number = 0;
    piece = tree.pieces.of[leaf];
    d.first.push_back(static_cast<std::uint32_t>(d.groups.size()));
    d.hosts.push_back(static_cast<std::uint32_t>(fabric.hosts_at(leaf).size()));
    if (fabric.node(leaf).lid != kNoLid) {
      // The LID of the leaf switch takes the number of the switch's first attached host.
      std::uint32_t own = number;
      for (std::uint32_t k = first[i]; !fabric.attached(by_leaf[k]); ++k) ++own;
      add(fabric.node(leaf).lid, 1, 0, own);
    }
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k, ++number) {
      const Host& host = fabric.host(by_leaf[k]);
      if (host.lid != kNoLid && fabric.attached(by_leaf[k]))
        add(host.lid, host.lid_count(), host.port, number);
    }
  }
  d.first.push_back(static_cast<std::uint32_t>(d.groups.size()));
  return d;
}

}  // namespace selvedge
