// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// For the tests of dmodk: the loads of a tree's links, and the pairs that a path up, then down
// joins; computed from the fabric and the tables alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge::test {

/// Per switch, the distance to the nearest one with hosts.
inline std::vector<unsigned> host_distances(const Fabric& f) {
  std::vector<unsigned> level(f.num_switches(), UINT32_MAX);
  std::queue<SwitchId> queue;
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    if (!f.hosts_at(s).empty()) {
      level[s] = 0;
      queue.push(s);
    }
  for (; !queue.empty(); queue.pop())
    for (const Channel c : f.out(queue.front()))
      if (level[f.target(c)] == UINT32_MAX) {
        level[f.target(c)] = level[queue.front()] + 1;
        queue.push(f.target(c));
      }
  return level;
}

/// Per channel between switches: host LIDs that it carries, and paths between hosts.
struct Loads {
  std::vector<std::uint64_t> lids, paths;
};

inline Loads loads(const Fabric& f, const Tables& t, unsigned offset = 0) {
  Loads load{std::vector<std::uint64_t>(f.num_switch_channels(), 0),
             std::vector<std::uint64_t>(f.num_switch_channels(), 0)};
  std::vector<std::uint64_t> paths(f.num_switch_channels(), 0);
  std::vector<Channel> used;
  for (HostId h = 0; h < f.num_hosts(); ++h) {
    if (!f.attached(h)) continue;
    const Host& host = f.host(h);
    const Lid lid = static_cast<Lid>(host.lid + offset);
    used.clear();
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      if (f.hosts_at(s).empty()) continue;
      SwitchId x = s;
      for (unsigned hops = 0; x != host.at && hops < f.num_switches(); ++hops) {
        const PortNum port = t.next(x, lid);
        if (port == kNoPort || port == 0) break;
        const Channel c = f.channel(x, port);
        if (!f.between_switches(c)) break;
        if (paths[c] == 0) used.push_back(c);
        paths[c] += f.hosts_at(s).size();
        x = f.target(c);
      }
    }
    for (const Channel c : used) {
      ++load.lids[c];
      load.paths[c] += paths[c];
      paths[c] = 0;
    }
  }
  return load;
}

/// The least and the most of each stage: (level of the lower end, up or down).
using StageRanges = std::map<std::pair<unsigned, bool>, std::pair<std::uint64_t, std::uint64_t>>;

inline StageRanges stage_ranges(const Fabric& f, const std::vector<std::uint64_t>& load) {
  const std::vector<unsigned> level = host_distances(f);
  StageRanges ranges;
  for (const Channel link : f.links())
    for (const Channel c : {link, f.peer(link)}) {
      const unsigned from = level[f.switch_of(c)], to = level[f.target(c)];
      const auto [at, fresh] =
          ranges.try_emplace({std::min(from, to), to > from}, load[c], load[c]);
      at->second.first = std::min(at->second.first, load[c]);
      at->second.second = std::max(at->second.second, load[c]);
    }
  return ranges;
}

/// [from][to]: cables on the shortest path up, then down, by these levels; kApart if there is none.
/// With an order (per switch its rank, uppermost first): only paths that also go up, then down by
/// that order.
template <class Level>
std::vector<std::vector<unsigned>> up_down_lengths(
    const Fabric& f, const std::vector<Level>& level,
    const std::vector<std::uint32_t>* rank = nullptr) {
  constexpr std::uint32_t kStates = 4, kDown = 1, kDownByRank = 2;
  std::vector<std::vector<unsigned>> lengths;
  for (SwitchId from = 0; from < f.num_switches(); ++from) {
    // Breadth first over (switch, gone down yet by levels? by the order?).
    std::vector<unsigned> length(kStates * f.num_switches(), kApart);
    std::vector<std::uint32_t> queue{kStates * from};
    length[kStates * from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t here = queue[i];
      const SwitchId x = here / kStates;
      for (const Channel c : f.out(x)) {
        const SwitchId y = f.target(c);
        std::uint32_t state = level[y] < level[x] ? kDown : 0;
        if (rank != nullptr && (*rank)[y] > (*rank)[x]) state |= kDownByRank;
        if ((here % kStates & ~state) != 0) continue;  // up again
        const std::uint32_t there = kStates * y + state;
        if (length[there] != kApart) continue;
        length[there] = length[here] + 1;
        queue.push_back(there);
      }
    }
    std::vector<unsigned>& row = lengths.emplace_back();
    for (SwitchId to = 0; to < f.num_switches(); ++to)
      row.push_back(
          *std::min_element(length.begin() + kStates * to, length.begin() + kStates * (to + 1)));
  }
  return lengths;
}

/// The same by distance to the hosts.
inline std::vector<std::vector<unsigned>> up_down_lengths(
    const Fabric& f, const std::vector<std::uint32_t>* rank = nullptr) {
  return up_down_lengths(f, host_distances(f), rank);
}

}  // namespace selvedge::test
