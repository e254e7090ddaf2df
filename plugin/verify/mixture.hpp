// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proof for packets that choose: at every switch among the ports of all LIDs of their
// destination, its ways (docs/simulator.md, "Adaptive forwarding"; Martínez 2005 §4.1). Each LID's
// paths may be proved one by one and their mixture still circle or wait for itself. All packets of
// all hosts are looked at, on the SLs of the LIDs that they carry, at every port at which any
// choices can bring them. Cut-through and store-and-forward: a packet that waits does so in one
// queue, which could hold it whole, so only what the queue's first packet asks for counts.
//
//   delivered      wherever a packet gets, some way leads on, and none to a foreign host
//   loop_free      no choices bring a packet back to a cable, so the hops are bounded
//   deadlock_free  the dependency graph of all ways is acyclic (Dally & Seitz 1987), whatever
//                  packets choose and whatever fails
//
// And where that graph has cycles, for packets that may always wait for their own way, that of the
// LID that they carry (Duato 1996, for cut-through):
//
//   own_free       own ways are there wherever packets get, and the graph is acyclic of what
//                  packets, however they came, wait for if that is their own way
//   escape_free    the same, where own ways have queues apart: what counts is how packets in such
//                  queues go on to the next one
//
// These two hold as long as own ways don't fail and a queue that has room for one packet that asks
// has it for every other, that is for packets of one size: a long one would hold a place at which a
// short one could go on.
#pragma once

#include <optional>
#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge {

/// Which of a destination's LIDs packets carry.
enum class Carried : std::uint8_t {
  kAny,   // each for which the source's switch has a route
  kFirst  // the lowest of them
};

struct MixtureVerdict {
  bool delivered = true;
  bool loop_free = true;
  bool deadlock_free = true;
  bool own_free = true;
  bool escape_free = true;
  /// The first reason why each of them does not hold; the property is the field's name.
  std::vector<Witness> witnesses;

  const Witness* why_not(std::string_view property) const;
};

/// Pairs of hosts that are physically apart, or without a LID, are left out. `tables` must have a
/// row for each of the fabric's switches and its LIDs.
MixtureVerdict verify_mixture(const Fabric& fabric, const Tables& tables,
                              Carried carried = Carried::kAny);

}  // namespace selvedge
