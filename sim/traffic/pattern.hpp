// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A pattern: to whom each message goes. Those that are pure chance or pure arithmetic know nothing
// of time; open_loop.hpp and closed_loop.hpp say when.
#pragma once

#include <memory>

#include "sim/engine/random.hpp"
#include "sim/traffic/ends.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

class Pattern {
 public:
  virtual ~Pattern() = default;
  /// The destination of the message of `from` that has this number, from 0; kNoEnd: it has none,
  /// nor have later ones. It depends on nothing else but what is drawn from `chance`. A host's
  /// numbers ascend; one may be asked for again.
  virtual End to(End from, std::uint64_t number, Stream& chance) = 0;
};

/// A destination for each host, once and for all; a host that is its own has none.
class FixedPattern final : public Pattern {
 public:
  explicit FixedPattern(std::vector<End> destinations) : to_(std::move(destinations)) {
    for (End e = 0; e < to_.size(); ++e)
      if (to_[e] == e) to_[e] = kNoEnd;
  }
  End to(End from, std::uint64_t /*number*/, Stream& /*chance*/) override { return to_[from]; }

 private:
  std::vector<End> to_;
};

/// Any of 0 … count − 1 but `except`, which is one of them, or count ≥ 1.
inline End any_but(End except, End count, Stream& chance) {
  const End drawn = chance.below(count - 1);
  return drawn + (drawn >= except ? 1 : 0);
}

// Each in a file of its name. All need two hosts; each throws InputError for keys of its own that
// are out of range and for a fabric that it has no meaning on.
std::unique_ptr<Pattern> uniform(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> bit_reversal(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> bit_complement(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> perfect_shuffle(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> transpose(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> tornado(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> shift(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> neighbour(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> hot_spot(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> hot_sources(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> same_digit(const Ends&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> permutations(const Ends&, const TrafficSpec&, std::uint64_t seed);

}  // namespace selvedge::sim
