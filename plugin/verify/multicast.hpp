// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast groups. A packet that enters a switch of the group leaves it by every port of the
// group's set but the one it came by, whether or not that one is in the set. So a group's ports
// must pair up over cables, and the cables must make a forest.
//
// Where a packet of the group may enter is taken from the sets alone, not from who is listening or
// from what SL2VL tables drop further back: at worst a dependency too many is counted.
#pragma once

#include <vector>

#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/sl_rules.hpp"

namespace selvedge::prover {

struct GroupProof {
  struct Port {
    SwitchId at;
    PortNum port;
  };
  std::vector<Port> dead;       // no cable, or no such port
  std::vector<Port> one_sided;  // the switch at the far end does not have its port in the set
  std::vector<Channel> cycle;   // by which packets come back; empty if the group is a forest
  VlMask vls = 0;               // on the group's channels between switches, on SL 0
  std::vector<Turn> turns;      // on SL 0
  std::vector<Turn> turns_any;  // on any SL
};

/// `any_sl`: are `turns_any` wanted?
GroupProof prove_group(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl,
                       const MulticastTree& group, bool any_sl);

}  // namespace selvedge::prover
