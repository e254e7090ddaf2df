// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A pattern gives the destination of each message. It does not depend on time; open_loop.hpp and
// closed_loop.hpp decide when messages are sent.
#pragma once

#include <memory>

#include "sim/engine/random.hpp"
#include "sim/traffic/spec.hpp"
#include "sim/traffic/terminals.hpp"

namespace selvedge::sim {

class Pattern {
 public:
  virtual ~Pattern() = default;
  /// The destination of message `number` (from 0) of terminal `from`; kNoTerminal: neither this
  /// message nor a later one has a destination. The result depends only on the arguments and on
  /// what is drawn from `chance`. For each host, calls come in ascending order of `number`; a
  /// number may repeat.
  virtual Terminal to(Terminal from, std::uint64_t number, Stream& chance) = 0;
};

/// A fixed destination for each host. A host that would send to itself has none.
class FixedPattern final : public Pattern {
 public:
  explicit FixedPattern(std::vector<Terminal> destinations) : to_(std::move(destinations)) {
    for (Terminal e = 0; e < to_.size(); ++e)
      if (to_[e] == e) to_[e] = kNoTerminal;
  }
  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& /*chance*/) override {
    return to_[from];
  }

 private:
  std::vector<Terminal> to_;
};

/// A random number of 0 … count − 1 except `except`, which is one of them; count ≥ 2.
inline Terminal uniform_except(Terminal except, Terminal count, Stream& chance) {
  const Terminal drawn = chance.below(count - 1);
  return drawn + (drawn >= except ? 1 : 0);
}

/// The pattern that spec.pattern names. Throws InputError if it is unknown, or one that gives the
/// times of messages, too.
std::unique_ptr<Pattern> destinations_of(const TrafficSpec& spec, const Terminals& terminals,
                                         std::uint64_t seed);
/// Throws InputError for fewer than two hosts.
void check_enough_hosts(const Terminals& terminals);

// The patterns; docs/simulator.md ("Traffic") defines them. All need two hosts. Each throws
// InputError if one of the TrafficSpec members that it uses is out of range, and for a fabric on
// which it is not defined.
std::unique_ptr<Pattern> uniform(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> bit_reversal(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> bit_complement(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> perfect_shuffle(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> transpose(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> tornado(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> shift(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> neighbour(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> hot_spot(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> hot_sources(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> same_digit(const Terminals&, const TrafficSpec&, std::uint64_t seed);
std::unique_ptr<Pattern> permutations(const Terminals&, const TrafficSpec&, std::uint64_t seed);

}  // namespace selvedge::sim
