// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proof for adaptive packets. At every switch an adaptive packet chooses among the ports that
// the LFT holds for the LIDs of its destination. These ports are called its ways
// (docs/simulator.md, "Adaptive forwarding"; Martínez 2005 §4.1). Even if the paths of each LID are
// proved, their mixture may loop or deadlock. The proof covers every packet of every host, on the
// SL of the LID that it carries, at every port at which any choices can bring it. It holds for
// cut-through and for store-and-forward switches. In both a waiting packet fits whole into its
// queue, so it holds no channel behind it. It waits only for the output that the first packet of
// its queue requests.
//
//   delivered      wherever a packet gets, some way leads on, and no way leads to another host
//   loop_free      no choices bring a packet back to a channel, so the number of hops is bounded
//   deadlock_free  the dependency graph of all ways is acyclic (Dally & Seitz 1987), whatever
//                  packets choose and whichever cables fail
//
// Where that graph has cycles, two weaker properties are tested (Duato 1996, for cut-through). Both
// assume that a packet may always wait for its own way, the port of the LID that it carries:
//
//   own_free       every packet has an own way wherever it gets; and the graph is acyclic that has,
//                  for each channel on which a packet may come, only its turn into its own way
//   escape_free    the same if packets on own ways use queues reserved for own ways: the graph has
//                  only the turns from one own way into the next
//
// The two weaker properties hold as long as own ways do not fail and all packets have the same
// size. With mixed sizes a queue may have room for a short packet only: then a long one would wait
// where a short one advances.
#pragma once

#include <optional>
#include <vector>

#include "plugin/verify/verify.hpp"

namespace selvedge {

/// Which of a destination's LIDs the hosts put into their packets.
enum class Carried : std::uint8_t {
  kAny,   // every LID to which the source's switch has a route
  kFirst  // the lowest LID to which the source's switch has a route
};

struct AdaptiveVerdict {
  bool delivered = true;
  bool loop_free = true;
  bool deadlock_free = true;
  bool own_free = true;
  bool escape_free = true;
  /// For each property that does not hold, the first reason found. Witness::property is the name of
  /// the field above.
  std::vector<Witness> witnesses;

  const Witness* witness_of(std::string_view property) const;
};

/// Pairs of hosts that are physically disconnected, and hosts without a LID, are left out. `tables`
/// must have a row for each of the fabric's switches, with an entry for each of the fabric's LIDs.
AdaptiveVerdict verify_adaptive(const Fabric& fabric, const Tables& tables,
                                Carried carried = Carried::kAny);

}  // namespace selvedge
