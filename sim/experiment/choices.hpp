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
struct Choosing {
  Carried carried = Carried::kFirst;
  bool escape_queues = false;
  /// Packets may rely on their own ways: no link is cut, and all packets need equally many blocks.
  bool own_ways_hold = false;
  friend auto operator<=>(const Choosing&, const Choosing&) = default;
};

/// Nothing if the point's packets have one way everywhere.
std::optional<Choosing> choosing_of(const Point& point, const Fabric& fabric);

/// The parts of an InputError.
struct Doubt {
  std::string what, where, remedy;
};

/// The first property that is not proved for such packets; nothing if all are.
std::optional<Doubt> doubt_of(const Choosing& choosing, const AdaptiveVerdict& mixture);

}  // namespace selvedge::sim
