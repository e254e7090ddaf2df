// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans of the engine ist (plugin/engines/ist/layers.hpp) by SAT (CaDiCaL): whether there is a plan
// with a given number of VLs and SLs.
//
// Variables: "path i takes SL s", "this turn follows that one in SL s", "the VL of a turn in SL s
// is at least l". The turns allowed on each VL are given by rows, or the solver chooses them: each
// channel has a rank on each VL ("at least r"), and a turn is allowed where the rank grows.
#pragma once

#include <optional>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

struct SatAnswer {
  std::optional<Plan> plan;  // nothing: there is no plan, or time ran out
  bool proved_none = false;
  std::vector<std::vector<unsigned>> rank;  // [VL][channel]; empty if the turns are by rows
};

struct SatQuestion {
  unsigned vls = 4, sls = 8;
  unsigned ranks = 0;  // number of ranks to choose from; 0: the turns are by rows
  double seconds = 600;
};

SatAnswer ask_sat(const Torus& torus, const Trees& trees, const SatQuestion& question);

}  // namespace selvedge::ist
