// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// MADs that are lost or doubled on purpose, silently: by the console's `drop PATTERN N` and `double
// PATTERN N` (the next N MADs that match), and by ibsim's `Error` (a share of the requests that
// reach a node is lost). A request is lost or doubled at its destination, an answer at its origin.
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
  NodeId node = kNoNode;  // kNoNode: any node

  bool matches(NodeId at, const Mad& mad) const;
};

/// Parses [get|set|trap|answer|any][:ATTRIBUTE][@NODE]. Throws InputError if the text is malformed
/// or there is no such node.
MadPattern parse_mad_pattern(const EmulatedSubnet& subnet, std::string_view text);

enum class Mishap : std::uint8_t { kNone, kLost, kDoubled };

class Mishaps {
 public:
  explicit Mishaps(std::uint64_t seed) : random_(seed) {}

  /// Skips the next `after` MADs that match, then lets `what` happen to the next `count`. If
  /// several rules match a MAD, the rule added first applies.
  void add(Mishap what, const MadPattern& pattern, std::uint64_t count, std::uint64_t after);
  /// Loses `percent` of the requests that reach a node; 0 ends it. `attribute`: only these
  /// requests; 0: all. `port`: only requests that come by this port.
  void set_error(NodeId node, std::optional<PortNum> port, unsigned percent,
                 std::uint16_t attribute);

  /// Whether this MAD, at this port, is lost or doubled. Counts it for the rules.
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
