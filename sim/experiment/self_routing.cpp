// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/self_routing.hpp"

namespace selvedge::sim {

void SelfRoutingWatch::moved(const FlowMove& move) {
  moves_.push_back(move.at);
  std::vector<std::uint64_t>& of = periods_[move.leaf];
  const auto period = static_cast<std::size_t>(move.at / period_);
  if (of.size() <= period) of.resize(period + 1);
  ++of[period];
}

void SelfRoutingWatch::delivered(const Delivery& delivery) {
  if (packets_each_ > 0) {
    const auto number = static_cast<std::size_t>(delivery.sequence / packets_each_);
    if (starts_.size() <= number) starts_.resize(number + 1, kNever);
    starts_[number] = std::min(starts_[number], delivery.injected);
  }
  if (!measuring_) return;
  Received& by = received_[delivery.to];
  const Tick latency = delivery.delivered - delivery.injected;
  ++by.packets;
  by.bytes += delivery.bytes;
  by.early += delivery.ahead > 0 ? 1 : 0;
  by.ahead += delivery.ahead;
  by.network_latency += latency;
  by.network_latency_max = std::max(by.network_latency_max, latency);
}

void SelfRoutingWatch::start_measuring() {
  measuring_ = true;
  moves_before_ = moves_.size();
}

std::vector<PermutationMoves> SelfRoutingWatch::permutations(Tick end) const {
  std::vector<PermutationMoves> all;
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (starts_[i] != kNever) {
      if (!all.empty()) {
        all.back().end = std::max(starts_[i], all.back().start);
        all.back().whole = true;
      }
      all.emplace_back().number = i;
      all.back().start = starts_[i];
      all.back().end = end;
    }
  for (PermutationMoves& one : all) {
    const auto first = std::ranges::lower_bound(moves_, one.start);
    const auto last = std::lower_bound(first, moves_.end(), one.end);
    one.moves = static_cast<std::uint64_t>(last - first);
    if (first != last) one.last_move = *std::prev(last);
  }
  return all;
}

}  // namespace selvedge::sim
