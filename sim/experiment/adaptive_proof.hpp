// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a point's packets are forwarded adaptively, and whether adaptive forwarding is proved
// free of loops and deadlocks. The paths of each LID are proved separately when the tables are
// made. Adaptive packets take mixtures of these paths, which need a proof of their own
// (plugin/verify/adaptive.hpp).
#pragma once

#include <optional>
#include <string>

#include "plugin/verify/adaptive.hpp"
#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

/// How a point forwards adaptively: what the proof depends on, besides fabric and tables, that
/// packets which mix the paths to a host's LIDs neither loop nor deadlock.
struct AdaptiveUse {
  Carried carried = Carried::kFirst;
  bool escape_queues = false;
  /// Packets may rely on their own ports (the LFT's ports for their DLIDs) to escape a deadlock: no
  /// link is cut, and all packets need equally many buffer blocks.
  bool own_ports_suffice = false;
  friend auto operator<=>(const AdaptiveUse&, const AdaptiveUse&) = default;
};

/// How the point's packets use adaptive forwarding; nothing if they have only one output port at
/// every switch.
std::optional<AdaptiveUse> adaptive_use_of(const Point& point, const Fabric& fabric);

/// A property that is not proved, as the parts of an InputError.
struct Unproved {
  std::string what, where, remedy;
};

/// The first property (delivery, no deadlock, no loop) that `mixture`, the proof of the mixed
/// paths, lacks; nothing if it lacks none.
std::optional<Unproved> first_unproved(const AdaptiveUse& adaptive, const AdaptiveVerdict& mixture);

}  // namespace selvedge::sim
