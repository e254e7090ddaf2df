// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes of traffic in the data plane (docs/simulator.md, "Classes"): what a class of messages
// asks of HCAs and switches. sim/traffic/class_spec.hpp says what the sources of a class send.
#pragma once

#include <cstdint>

#include "plugin/fabric/ids.hpp"
#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// Which packets of a message a switch never drops at the head of a queue, with Drop::kSelective
/// (Kim 2007 §3.5).
enum class Keep : std::uint8_t {
  kNothing,
  kEnds,  // the first packet and the last
  kAll,
};

struct ClassRule {
  Sl sl = 0;           // of its packets: this, plus the SL of the path
  unsigned queue = 0;  // of every HCA; queue 0 has the highest priority
  PathChoice paths = PathChoice::kFirst;
  /// Whether its packets select among the ports of all of the destination's LIDs at each switch, if
  /// Model::selection does (Kim 2007 §3.4).
  bool selects = false;
  friend bool operator==(const ClassRule&, const ClassRule&) = default;
};

}  // namespace selvedge::sim
