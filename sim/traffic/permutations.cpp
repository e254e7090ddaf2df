// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// permutations: all hosts go through the same endless sequence of random permutations, each at its
// own pace, with permutation_bytes to each destination (Zahavi 2012 §5.2: 256 KB). Every
// permutation is one cycle (Sattolo 1986), drawn evenly from all of these, so that nobody sends to
// itself.
#include <deque>
#include <numeric>

#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class Permutations final : public Pattern {
 public:
  Permutations(End count, std::uint64_t messages_each, Stream chance)
      : messages_each_(messages_each), chance_(chance), hosts_(count) {}

  End to(End from, Stream& /*chance*/) override {
    Pace& pace = hosts_[from];
    if (messages_each_ != 0 && pace.sent == messages_each_) {
      pace = {pace.permutation + 1, 0};
      forget();
    }
    ++pace.sent;
    while (pace.permutation - first_ >= sequence_.size()) sequence_.push_back(another());
    return sequence_[pace.permutation - first_][from];
  }

 private:
  struct Pace {
    std::uint64_t permutation = 0, sent = 0;
  };

  std::vector<End> another() {
    std::vector<End> to(hosts_.size());
    std::iota(to.begin(), to.end(), 0);
    for (auto i = static_cast<End>(to.size()) - 1; i > 0; --i)
      std::swap(to[i], to[chance_.below(i)]);
    return to;
  }

  /// Drops what every host is done with; looks once for as many moves as there are hosts.
  void forget() {
    if (++moves_ < hosts_.size()) return;
    moves_ = 0;
    std::uint64_t slowest = UINT64_MAX;
    for (const Pace& pace : hosts_) slowest = std::min(slowest, pace.permutation);
    for (; first_ < slowest && !sequence_.empty(); ++first_) sequence_.pop_front();
  }

  std::uint64_t messages_each_;  // 0: the first permutation for ever
  Stream chance_;
  std::vector<Pace> hosts_;
  std::deque<std::vector<End>> sequence_;
  std::uint64_t first_ = 0;  // the number of sequence_'s front
  std::size_t moves_ = 0;
};

}  // namespace

std::unique_ptr<Pattern> permutations(const Ends& ends, const TrafficSpec& spec,
                                      std::uint64_t seed) {
  const std::uint64_t bytes = std::max<std::uint64_t>(spec.payload_bytes, 1);
  // Rounded up: a sum could overflow.
  const std::uint64_t each =
      spec.permutation_bytes / bytes + (spec.permutation_bytes % bytes != 0 ? 1 : 0);
  return std::make_unique<Permutations>(ends.count(), each, stream_of(seed, Chance::kPermutations));
}

}  // namespace selvedge::sim
