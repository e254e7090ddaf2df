// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/clos: does adaptive routing settle on a fat tree, and how fast? Zahavi 2012 asks this of
// Clos networks whose input switches choose the middle switch of each flow by themselves. This room
// has the paper's Markov models (single_switch.hpp, last_step.hpp), its abstract system
// (settle.hpp), and what applies both to an operator's tree (recognise.hpp, forecast.hpp).
// docs/self-routing.md explains them to users.
//
// The letters are the paper's.
#pragma once

namespace selvedge::sim {

/// CLOS(n, r, m): r input switches of n hosts each, m middle switches, r output switches.
struct ClosSize {
  unsigned n = 0, r = 0, m = 0;

  friend bool operator==(const ClosSize&, const ClosSize&) = default;
};

}  // namespace selvedge::sim
