// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is measured of a self-routing tree besides the figures of every run (Zahavi 2012 §5.2): when
// leaf switches moved flows, and what each receiver saw.
//
// Moves are counted since the start, everything else while measured. Of the traffic `permutations`
// also how soon the moves ended. The permutation of a packet follows from its number among its
// source's packets. A permutation begins with its first packet of any host, and ends where the next
// one begins: hosts go on at their own pace, so packets of several permutations may be under way.
// Packets that were lost are not seen.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/model/ear_move.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// What a host received.
struct Received {
  std::uint64_t packets = 0, bytes = 0;  // bytes on the wire
  std::uint64_t early = 0;  // packets that came ahead of a missing one (Delivery::ahead)
  std::uint64_t ahead = 0;  // sum of Delivery::ahead
  Tick network_latency = 0, network_latency_max = 0;  // sum, maximum

  double early_ratio() const {  // to packets in order
    return static_cast<double>(early) /
           static_cast<double>(std::max<std::uint64_t>(packets - early, 1));
  }
  std::optional<double> window() const {  // mean of Delivery::ahead over early packets
    if (early == 0) return std::nullopt;
    return static_cast<double>(ahead) / static_cast<double>(early);
  }
};

struct PermutationMoves {
  std::uint64_t number = 0;
  Tick start = 0, end = 0;  // end: of the run, if the next permutation has not begun
  bool whole = false;       // the next one has begun
  std::uint64_t moves = 0;
  std::optional<Tick> last_move;
};

class SelfRoutingWatch {
 public:
  /// `packets_each`: what a host sends in a permutation; 0: the traffic has no permutations.
  /// `period`: for which moves are counted together.
  SelfRoutingWatch(std::size_t switches, std::size_t hosts, std::uint64_t packets_each, Tick period)
      : packets_each_(packets_each), period_(period), periods_(switches), received_(hosts) {}

  void moved(const FlowMove& move);
  void delivered(const Delivery& delivery);
  void start_measuring();

  /// Moves of a leaf switch by period: the first value is that of the period from 0 on.
  const std::vector<std::uint64_t>& periods(SwitchId leaf) const { return periods_[leaf]; }
  Tick period() const { return period_; }
  const std::vector<Received>& received() const { return received_; }
  std::uint64_t moves_measured() const { return moves_.size() - moves_before_; }
  /// In their order; those of which no packet was delivered are missing. `end`: of the run.
  std::vector<PermutationMoves> permutations(Tick end) const;

 private:
  std::uint64_t packets_each_;
  Tick period_;
  bool measuring_ = false;
  std::vector<Tick> moves_;  // ascending
  std::size_t moves_before_ = 0;
  std::vector<std::vector<std::uint64_t>> periods_;  // per switch
  std::vector<Received> received_;                   // per host
  std::vector<Tick> starts_;                         // per permutation
};

}  // namespace selvedge::sim
