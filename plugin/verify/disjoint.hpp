// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts the disjoint paths of a pair of hosts: paths that share no cable, and no switch but the
// two end switches (Montañana 2008 §4.2). The count is exact. It is the size of a maximum
// independent set of the graph in which two paths are adjacent if they share a cable or such a
// switch.
//
// Private to this folder: only its own files include this header.
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
    SwitchId source;     // a source switch with that minimum
  };
  /// The minimum over all source switches with hosts, except the destination's own switch.
  Fewest fewest(const Host& destination, HostId id);

 private:
  static constexpr unsigned kPathsMax = LargestSet::kPathsMax;
  using Paths = LargestSet::Paths;

  void load(const Host& destination);
  bool arrives(SwitchId source, unsigned i) const;
  /// Loads search_ with those paths from a switch that arrive. Returns the set of these paths.
  Paths meet(SwitchId source, SwitchId destination_switch, unsigned count);

  const Wiring* wiring_;
  const SlRules* rules_;
  const Tables* tables_;
  RowMasks rows_;
  DestinationTree tree_;
  std::vector<PortNum> next_;      // per switch: LFT entry for one LID
  std::vector<Channel> out_;       // [switch][LID offset]; kNoChannel: leads to no switch
  std::vector<SlMask> arriving_;   // [switch][LID offset]: SLs that arrive from there
  std::vector<PortNum> out_port_;  // [switch][LID offset]: port by which it forwards
  unsigned count_ = 0;             // the number of LIDs of the destination
  Lid base_ = 0;
  std::vector<Paths> through_;        // per switch: paths that pass it, if stamp_ is round_
  std::vector<std::uint32_t> stamp_;  // per switch: round_ in which through_ was set
  std::uint32_t round_ = 0;
  LargestSet search_;
  std::array<std::uint64_t, kPathsMax> first_keys_, last_keys_;
};

}  // namespace selvedge::prover
