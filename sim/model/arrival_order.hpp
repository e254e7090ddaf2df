// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How far packets of a pair of hosts overtake each other, as a receiver sees it that would have to
// put them in order: by how many places a packet comes ahead of the first one that is missing.
// pair_order.hpp counts the packets that come late instead, and needs less memory.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

class ArrivalOrder {
 public:
  /// A packet joins its source's queue; of each source in ascending order of `sequence`.
  void add(HostId from, HostId to, std::uint32_t sequence) {
    pairs_[key(from, to)].packets.push_back({sequence, false});
  }
  /// A packet was lost at `now`: from the next tick on no receiver waits for it. What a delivery
  /// returns so does not depend on the order of a tick's deliveries and losses.
  void lose(HostId from, HostId to, std::uint32_t sequence, Tick now) {
    forget_lost(now);
    lost_.push_back({from, to, sequence, now});
  }
  /// A packet was delivered at `now`. Returns how many packets of its pair, from the first missing
  /// one on, precede it; those that were lost in earlier ticks are not counted.
  unsigned deliver(HostId from, HostId to, std::uint32_t sequence, Tick now) {
    forget_lost(now);
    return take(from, to, sequence, false);
  }
  /// Pairs with packets under way, or with packets lost in the latest tick.
  std::size_t size() const { return pairs_.size(); }

 private:
  struct Entry {
    std::uint32_t sequence;
    bool there;  // delivered
  };
  struct Pair {
    std::vector<Entry> packets;  // [first] is missing; those before it are done with
    std::size_t first = 0;
  };
  struct Lost {
    HostId from, to;
    std::uint32_t sequence;
    Tick at;
  };
  static constexpr std::size_t kCompactAt = 256;
  static std::uint64_t key(HostId from, HostId to) { return std::uint64_t{from} << 32 | to; }

  void forget_lost(Tick now) {
    if (lost_.empty() || lost_.back().at == now) return;
    for (const Lost& one : lost_) take(one.from, one.to, one.sequence, true);
    lost_.clear();
  }
  unsigned take(HostId from, HostId to, std::uint32_t sequence, bool lost) {
    const auto found = pairs_.find(key(from, to));
    auto& [packets, first] = found->second;
    std::size_t at = first;
    while (packets[at].sequence != sequence) ++at;
    const auto ahead = static_cast<unsigned>(at - first);
    if (lost && at != first)
      packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(at));
    else
      packets[at].there = true;
    while (first < packets.size() && packets[first].there) ++first;
    if (first == packets.size()) {
      pairs_.erase(found);
    } else if (first >= kCompactAt && 2 * first > packets.size()) {
      packets.erase(packets.begin(), packets.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
    return ahead;
  }

  boost::unordered_flat_map<std::uint64_t, Pair> pairs_;
  std::vector<Lost> lost_;  // all in one tick
};

}  // namespace selvedge::sim
