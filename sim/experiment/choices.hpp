// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// May a point's packets choose, and is that proved? Each LID's paths are proved by themselves when
// the tables are made; packets that choose go on mixtures of them (plugin/verify/mixture.hpp).
#pragma once

#include <optional>
#include <string>

#include "plugin/verify/mixture.hpp"
#include "sim/experiment/experiment.hpp"

namespace selvedge::sim {

/// What decides whether choices are proved, besides fabric and tables.
struct Choosing {
  Carried carried = Carried::kFirst;
  bool escape_queues = false;
  /// Own ways can be relied on: none is cut, and all packets need as many blocks.
  bool own_ways_hold = false;
  friend auto operator<=>(const Choosing&, const Choosing&) = default;
};

/// Nothing if its packets have one way everywhere.
std::optional<Choosing> choosing_of(const Point& point, const Fabric& fabric);

/// The parts of an InputError.
struct Doubt {
  std::string what, where, remedy;
};

/// What is not proved of such packets; nothing if all is.
std::optional<Doubt> doubt_of(const Choosing& choosing, const MixtureVerdict& mixture);

}  // namespace selvedge::sim
