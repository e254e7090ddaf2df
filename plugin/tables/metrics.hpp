// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The figures of a table set (docs/formats.md, `selvedge-route compute`). Lengths count cables
// between switches, over every ordered pair (switch with hosts, host on another switch) and its
// disjoint LIDs.
//
// What counts: a pair without any working path is excluded from the lengths and from `disjoint`;
// its pairs of hosts count in `unreachable_pairs`. So does every pair with a host that lost its
// cable or its switch; such pairs count nowhere else. Pairs of hosts on one switch have no length;
// they count only in `unreachable_pairs`.
#pragma once

#include <functional>
#include <map>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct Metrics {
  std::uint32_t switches = 0, hosts = 0, links = 0;  // working: not failed, attached, cabled
  unsigned lmc = 0;                                  // the largest of any host
  std::uint32_t lids = 0;                            // unicast LIDs of these
  double path_length_mean = 0;
  unsigned path_length_max = 0;
  double shortest_length_mean = 0;      // the shortest of each pair's disjoint LIDs
  std::map<unsigned, double> disjoint;  // exactly n disjoint paths → share of the pairs
  std::uint64_t unreachable_pairs = 0;  // ordered pairs of hosts with no working path at all
  /// Load of a channel between switches if every ordered pair of hosts on different switches sends
  /// one unit, spread evenly over its disjoint LIDs. The mean is over all such channels.
  double channel_load_max = 0, channel_load_mean = 0;
};

/// Memory in proportion to switches and channels. Time: a destination with one LID costs one visit
/// of each switch; with several, one walk from each switch with hosts to each LID. `progress` is
/// called after each destination host, with the number done and the number of all.
Metrics measure(const Fabric& fabric, const Tables& tables,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace selvedge
