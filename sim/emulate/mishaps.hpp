// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// MADs that are lost or doubled on purpose, silently: the console's `drop PATTERN N` and `double
// PATTERN N` (the next N that match), and ibsim's `Error` (a share of the requests that reach a
// node is lost). A request is judged where it arrives, an answer where it leaves.
//
// A pattern is [get|set|trap|answer|any][:ATTRIBUTE][@NODE]. The attribute is a name of the subnet
// management class (LFT, PortInfo, …) or a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "sim/emulate/subnet.hpp"

namespace selvedge::sim {

struct MadPattern {
  enum class Kind : std::uint8_t { kAny, kGet, kSet, kTrap, kAnswer };
  Kind kind = Kind::kAny;
  std::optional<std::uint16_t> attribute;
  NodeId node = kNoNode;  // any

  bool matches(NodeId at, const Mad& mad) const;
};

/// Throws InputError.
MadPattern parse_mad_pattern(const EmulatedSubnet& subnet, std::string_view text);

enum class Mishap : std::uint8_t { kNone, kLost, kDoubled };

class Mishaps {
 public:
  explicit Mishaps(std::uint64_t seed) : random_(seed) {}

  /// What happens to the next `count` that match, after the first `after` of them. Of several that
  /// match the first added holds.
  void add(Mishap what, const MadPattern& pattern, std::uint64_t count, std::uint64_t after);
  /// `percent` of the requests that reach a node, all or with this attribute; 0 ends it. `port`:
  /// only by this port.
  void set_error(NodeId node, std::optional<PortNum> port, unsigned percent,
                 std::uint16_t attribute);

  /// What becomes of this one.
  Mishap take(PortAt at, const Mad& mad) {
    return rules_.empty() && errors_.empty() ? Mishap::kNone : judge(at, mad);
  }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t doubled() const { return doubled_; }

 private:
  struct Rule {
    Mishap what;
    MadPattern pattern;
    std::uint64_t count, after;
  };
  struct Share {
    NodeId node;
    std::optional<PortNum> port;
    unsigned percent;
    std::uint16_t attribute;  // 0: all
  };
  Mishap judge(PortAt at, const Mad& mad);

  std::vector<Rule> rules_;
  std::vector<Share> errors_;
  StableRandom random_;
  std::uint64_t dropped_ = 0, doubled_ = 0;
};

}  // namespace selvedge::sim
