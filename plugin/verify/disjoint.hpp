// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How many of a pair's paths share no cable and no switch but the two at their ends? The largest
// such set, exactly: a largest independent set among the paths, where two are joined if they meet.
//
// Of this room only.
#pragma once

#include <array>
#include <vector>

#include "plugin/verify/destination_tree.hpp"
#include "plugin/verify/largest_set.hpp"
#include "plugin/verify/sl_rules.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::prover {

class Disjointness {
 public:
  Disjointness(const Wiring& wiring, const SlRules& rules, const Tables& tables);

  struct Fewest {
    std::uint8_t paths;  // kNoPairs if no host on another switch is physically connected
    SwitchId source;     // where they start
  };
  /// Over all switches with hosts, but the destination's own.
  Fewest fewest(const Host& destination, HostId id);

 private:
  static constexpr unsigned kPathsMax = LargestSet::kPathsMax;
  using Paths = LargestSet::Paths;

  void load(const Host& destination);
  bool arrives(SwitchId source, unsigned i) const;
  /// Asks search_ about the paths from a switch that arrive; returns them.
  Paths meet(SwitchId source, SwitchId home, unsigned count);

  const Wiring* wiring_;
  const SlRules* rules_;
  const Tables* tables_;
  RowMasks rows_;
  DestinationTree tree_;
  std::vector<PortNum> next_;      // of one LID
  std::vector<Channel> out_;       // [switch][LID offset]; kNoChannel: not between switches
  std::vector<SlMask> arriving_;   // [switch][LID offset]
  std::vector<PortNum> out_port_;  // [switch][LID offset]
  unsigned count_ = 0;             // LIDs of the destination
  Lid base_ = 0;
  std::vector<Paths> through_;        // per switch: paths seen there…
  std::vector<std::uint32_t> stamp_;  // …in this round
  std::uint32_t round_ = 0;
  LargestSet search_;
  std::array<std::uint64_t, kPathsMax> first_names_, last_names_;
};

}  // namespace selvedge::prover
