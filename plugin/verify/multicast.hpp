// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast groups. A packet that enters a switch of the group leaves by every port of the group's
// set except the port of arrival. The port of arrival need not be in the set. So the ports of a
// group must pair up over cables, and the cables must form a forest.
//
// The ports by which packets may enter follow from the port sets alone. Membership and SL2VL drops
// upstream are ignored, which can only add dependencies.
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
  std::vector<Channel> cycle;   // a loop of packets; empty if the group is a forest
  VlMask vls = 0;               // on the group's channels between switches, on SL 0
  std::vector<Turn> turns;      // on SL 0
  std::vector<Turn> turns_any;  // on any SL
};

/// `any_sl`: compute `turns_any` as well.
GroupProof prove_group(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl,
                       const MulticastTree& group, bool any_sl);

}  // namespace selvedge::prover
