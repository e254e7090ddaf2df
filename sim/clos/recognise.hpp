// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An operator's fabric as a Clos network: a folded Clos (or XGFT of two levels), possibly with
// cables or spines missing. Parallel cables from a leaf switch to a spine count as so many middle
// switches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "sim/clos/permutation.hpp"
#include "sim/clos/size.hpp"
#include "sim/clos/wiring.hpp"

namespace selvedge::sim {

struct RecognisedClos {
  Wiring wiring;  // folded; without leaf switches that have no hosts
  std::vector<SwitchId> leaves;
  unsigned spines = 0;
  std::string form;  // in words: "folded Clos: 6 leaves, 4 spines, 1 cable a pair"
  /// Nominal rates in Gb/s: the lowest of the cables between switches, and that of the fastest
  /// host that sends; 0 if one is unknown.
  double link_gbps = 0, host_gbps = 0;
  std::vector<std::string> remarks;  // what was left out, and which of several rates count

  /// n: the most hosts of a leaf switch; m: the middle switches.
  ClosSize size() const;
  /// The fewest links up of a leaf switch.
  unsigned least_uplinks() const;
};

/// Recognises the tree in `fabric`, and takes from it what `fault` leaves. Throws InputError, with
/// the form that the fabric has instead, if it is no tree of two levels. `where` names it.
RecognisedClos recognise_clos(const Fabric& fabric, const Fault& fault, const std::string& where);

/// How many flows have no place: with at most `flows_per_link` on each link up, a leaf switch
/// cannot send its `flows_up`, given for each leaf switch. 0 if it can everywhere.
unsigned flows_without_place(const Wiring& wiring, const std::vector<unsigned>& flows_up,
                             unsigned flows_per_link);

/// How many flows of a permutation leave each leaf switch through its links up.
std::vector<unsigned> flows_up(const Wiring& wiring, std::span<const Flow> flows);

/// Two leaf switches that no middle switch connects, as indexes; first == second if there are none.
std::pair<unsigned, unsigned> unconnected_leaves(const Wiring& wiring);

}  // namespace selvedge::sim
