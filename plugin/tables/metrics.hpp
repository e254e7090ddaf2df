// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The figures of a table set (docs/formats.md, `selvedge-route compute`). A length is a number of
// cables between switches. Lengths are taken over every ordered pair (switch with hosts, host on
// another switch) and the pair's disjoint LIDs.
//
// A pair without any working path is excluded from the lengths and from `disjoint`; its pairs of
// hosts count in `unreachable_pairs`. So does every pair with a host that has lost its cable or its
// switch; such pairs count nowhere else. Pairs of hosts on one switch have no length; they count
// only in `unreachable_pairs`.
#pragma once

#include <functional>
#include <map>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct Metrics {
  /// Only switches that have not failed, hosts that are attached, links that are cabled
  std::uint32_t switches = 0, hosts = 0, links = 0;
  unsigned lmc = 0;        // the largest LMC of all hosts
  std::uint32_t lids = 0;  // unicast LIDs of the counted switches and hosts
  double path_length_mean = 0;
  unsigned path_length_max = 0;
  double shortest_length_mean = 0;      // mean over pairs: their shortest disjoint path
  std::map<unsigned, double> disjoint;  // number n of disjoint paths → share of the pairs with n
  std::uint64_t unreachable_pairs = 0;  // ordered pairs of hosts without any working path
  /// The load of a channel between switches if every ordered pair of hosts on different switches
  /// sends one unit, spread evenly over its disjoint LIDs. The mean is over all such channels.
  double channel_load_max = 0, channel_load_mean = 0;
};

/// Computes the figures. The memory is proportional to switches and channels. For a destination
/// with one LID each switch is visited once; with several LIDs, paths are walked from each switch
/// with hosts to each LID. `progress` is called after each destination host, with the number done
/// and the total.
Metrics measure(const Fabric& fabric, const Tables& tables,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace selvedge
