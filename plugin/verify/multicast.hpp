// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast groups. A switch sends a packet of a group out of every port in its port set for the
// group, except the port of arrival. The port of arrival need not be in the set. So each port of
// the group must have a port of the group at the other end of its cable, and the cables must form a
// forest.
//
// By which ports packets may enter is derived from the port sets alone. Where members are, and what
// SL2VL tables drop upstream, is ignored. That can only add dependencies, so the proof remains
// valid.
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
  std::vector<Port> dead;       // ports of the group without a cable, or that do not exist
  std::vector<Port> one_sided;  // ports of the group whose far end is not in the group
  std::vector<Channel> cycle;   // channels on which packets loop; empty if the group is a forest
  VlMask vls = 0;               // VLs used on SL 0 on the group's channels between switches
  std::vector<Turn> turns;      // turns of the group's packets on SL 0
  std::vector<Turn> turns_any;  // turns of the group's packets on any SL
};

/// `any_sl`: also computes `turns_any`.
GroupProof prove_group(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl,
                       const MulticastTree& group, bool any_sl);

}  // namespace selvedge::prover
