// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether packets of a pair of hosts arrive in order. Only pairs with packets under way are
// remembered. Once all packets of a pair have arrived or are lost, every later packet has a higher
// sequence number than those delivered, so none can be late. Memory grows with the packets in
// flight, not with the square of the number of hosts.
#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "plugin/fabric/ids.hpp"

namespace selvedge::sim {

class PairOrder {
 public:
  /// A packet joins its source's queue.
  void add(HostId from, HostId to) { ++pairs_[key(from, to)].under_way; }
  /// A packet of this pair was lost.
  void count_lost(HostId from, HostId to) { remove_one(pairs_.find(key(from, to))); }
  /// A packet was delivered. Returns whether a later packet of its pair was delivered before.
  bool deliver(HostId from, HostId to, std::uint32_t sequence) {
    const auto pair = pairs_.find(key(from, to));
    const bool late = sequence < pair->second.next;
    pair->second.next = std::max(pair->second.next, sequence + 1);
    remove_one(pair);
    return late;
  }
  /// Pairs with packets under way.
  std::size_t size() const { return pairs_.size(); }

 private:
  struct Pair {
    std::uint32_t under_way = 0;
    std::uint32_t next = 0;  // the highest sequence number delivered, + 1
  };
  using Pairs = boost::unordered_flat_map<std::uint64_t, Pair>;
  static std::uint64_t key(HostId from, HostId to) { return std::uint64_t{from} << 32 | to; }
  void remove_one(Pairs::iterator pair) {
    if (--pair->second.under_way == 0) pairs_.erase(pair);
  }

  Pairs pairs_;
};

}  // namespace selvedge::sim
