// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a point's packets are forwarded adaptively, and whether that is proved. The paths of each
// LID are proved separately when the tables are made. Adaptive packets take mixtures of them, which
// need a proof of their own (plugin/verify/adaptive.hpp).
#pragma once

#include <optional>
#include <string>

#include "plugin/verify/adaptive.hpp"
#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

/// What that proof depends on, besides fabric and tables.
struct AdaptiveUse {
  Carried carried = Carried::kFirst;
  bool escape_queues = false;
  /// Packets may rely on their own ports: no link is cut, and all packets need equally many blocks.
  bool own_ports_suffice = false;
  friend auto operator<=>(const AdaptiveUse&, const AdaptiveUse&) = default;
};

/// Nothing if the point's packets have one output port everywhere.
std::optional<AdaptiveUse> adaptive_use_of(const Point& point, const Fabric& fabric);

/// The parts of an InputError.
struct Unproved {
  std::string what, where, remedy;
};

/// The first property that is not proved for such packets; nothing if all are.
std::optional<Unproved> first_unproved(const AdaptiveUse& adaptive, const AdaptiveVerdict& mixture);

}  // namespace selvedge::sim
