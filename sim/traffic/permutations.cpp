// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// permutations: all hosts go through the same endless sequence of random permutations, each host at
// its own pace. It sends permutation_bytes to each destination (Zahavi 2012 §5.2: 256 KB). Every
// permutation is drawn uniformly from those that are a single cycle (Sattolo 1986), so that no host
// sends to itself.
#include <algorithm>
#include <deque>
#include <numeric>

#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class Permutations final : public Pattern {
 public:
  Permutations(Terminal count, std::uint64_t messages_each, Stream chance)
      : messages_each_(messages_each), chance_(chance), at_(count) {}

  Terminal to(Terminal from, std::uint64_t number, Stream& /*chance*/) override {
    const std::uint64_t wanted = messages_each_ == 0 ? 0 : number / messages_each_;
    if (wanted != at_[from]) {
      at_[from] = wanted;
      drop_unused();
    }
    while (wanted - first_ >= sequence_.size()) sequence_.push_back(random_cyclic_permutation());
    return sequence_[wanted - first_][from];
  }

 private:
  std::vector<Terminal> random_cyclic_permutation() {
    std::vector<Terminal> to(at_.size());
    std::iota(to.begin(), to.end(), 0);
    for (auto i = static_cast<Terminal>(to.size()) - 1; i > 0; --i)
      std::swap(to[i], to[chance_.below(i)]);
    return to;
  }

  /// Drops the permutations that every host has finished. Called each time a host goes on to its
  /// next permutation; only every n-th call (n hosts) scans the hosts, so a call is cheap on
  /// average.
  void drop_unused() {
    if (++moves_ < at_.size()) return;
    moves_ = 0;
    const std::uint64_t slowest = *std::min_element(at_.begin(), at_.end());
    for (; first_ < slowest && !sequence_.empty(); ++first_) sequence_.pop_front();
  }

  std::uint64_t messages_each_;  // 0: always the first permutation
  Stream chance_;
  std::vector<std::uint64_t> at_;  // per terminal: the index of its current permutation
  std::deque<std::vector<Terminal>> sequence_;
  std::uint64_t first_ = 0;  // the index of sequence_'s front
  std::size_t moves_ = 0;
};

}  // namespace

std::unique_ptr<Pattern> permutations(const Terminals& terminals, const TrafficSpec& spec,
                                      std::uint64_t seed) {
  const std::uint64_t bytes = std::max<std::uint64_t>(spec.payload_bytes, 1);
  // The division is rounded up without adding bytes − 1 first: that sum could overflow.
  const std::uint64_t each =
      spec.permutation_bytes / bytes + (spec.permutation_bytes % bytes != 0 ? 1 : 0);
  return std::make_unique<Permutations>(terminals.count(), each,
                                        stream_of(seed, StreamUse::kPermutations));
}

}  // namespace selvedge::sim
