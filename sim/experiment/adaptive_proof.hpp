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
#include "sim/experiment/routed_fabric.hpp"

namespace selvedge::sim {

/// How a point forwards adaptively: what the proof depends on, besides fabric and tables, that
/// packets which mix the paths to a host's LIDs neither loop nor deadlock.
struct AdaptiveUse {
  Carried carried = Carried::kFirst;
  bool escape_queues = false;
  /// Packets may rely on their own ports (the LFT's ports for their DLIDs) to escape a deadlock: no
  /// link is cut, and all packets need equally many buffer blocks, or wait for the escape queues,
  /// which hold any packet (OwnPort::kEscape).
  bool own_ports_suffice = false;
  /// After Parameters::adaptive_hops switches a packet follows its own ports alone. So it passes at
  /// most so many more as its own path has, if that has no loop.
  bool hops_are_limited = false;
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

/// Whether the point's packets carry no LIDs but first ones and choose among all ways. Then the
/// mixture's proof covers their paths, and those of the other LIDs may deadlock, since no packet
/// follows one (the engine `martinez`).
bool takes_mixtures_only(const Point& point, const Fabric& fabric);
/// Whether the paths that the point's packets may follow by LFT alone are proved.
bool is_proved(const Point& point, const RoutedFabric& routed);

}  // namespace selvedge::sim
