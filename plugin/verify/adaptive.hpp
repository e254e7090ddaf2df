// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proof for adaptive packets. At every switch they choose among the ports of all LIDs of their
// destination, called its ways (docs/simulator.md, "Adaptive forwarding"; Martínez 2005 §4.1). Even
// if each LID's paths are proved, their mixture may loop or deadlock. The proof covers all packets
// of all hosts, on the SLs of the LIDs that they carry, at every port that any choices can bring
// them to. It holds for cut-through and store-and-forward: a waiting packet fits whole into its
// queue, so only the output that the queue's first packet requests counts.
//
//   delivered      wherever a packet gets, some way leads on, and none to a foreign host
//   loop_free      no choices bring a packet back to a cable, so the hops are bounded
//   deadlock_free  the dependency graph of all ways is acyclic (Dally & Seitz 1987), whatever
//                  packets choose and whatever fails
//
// Where that graph has cycles, two weaker properties are tested (Duato 1996, for cut-through). They
// are for packets that may always wait for their own way, the port of the LID that they carry:
//
//   own_free       every packet has its own way wherever it gets, and the graph of dependencies of
//                  packets, by any way they came, on their own next way is acyclic
//   escape_free    the same if own ways have queues of their own: the graph contains how packets in
//                  these queues go on to the next one
//
// These two hold as long as own ways do not fail and all packets have the same size. A queue with
// room for one requesting packet must have room for every other: else a long packet would wait
// where a short one could advance.
#pragma once

#include <optional>
#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge {

/// Which of a destination's LIDs packets carry.
enum class Carried : std::uint8_t {
  kAny,   // every LID for which the source's switch has a route
  kFirst  // the lowest of them
};

struct AdaptiveVerdict {
  bool delivered = true;
  bool loop_free = true;
  bool deadlock_free = true;
  bool own_free = true;
  bool escape_free = true;
  /// For each property that does not hold, the first reason; Witness::property is the field's name.
  std::vector<Witness> witnesses;

  const Witness* witness_of(std::string_view property) const;
};

/// Pairs of hosts that are physically disconnected, or without a LID, are left out. `tables` must
/// have a row for each of the fabric's switches, with an entry for each of the fabric's LIDs.
AdaptiveVerdict verify_adaptive(const Fabric& fabric, const Tables& tables,
                                Carried carried = Carried::kAny);

}  // namespace selvedge
