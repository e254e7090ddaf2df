// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans by SAT (CaDiCaL): is there one with so many VLs and SLs?
//
// Variables: "path i takes SL s", "this turn follows that one in SL s", "the VL of a turn in SL s
// is at least l". By rows the turns of each VL are given. Otherwise they are the solver's to
// choose: each channel has a rank on each VL ("at least r"), and a turn is allowed where the rank
// grows.
#pragma once

#include <optional>
#include <vector>

#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

struct SatAnswer {
  std::optional<Plan> plan;  // nothing: there is none, or time ran out
  bool proved_none = false;
  std::vector<std::vector<unsigned>> rank;  // [VL][channel]; empty by rows
};

struct SatQuestion {
  unsigned vls = 4, sls = 8;
  unsigned ranks = 0;  // 0: by rows
  double seconds = 600;
};

SatAnswer ask_sat(const Torus& torus, const Trees& trees, const SatQuestion& question);

}  // namespace selvedge::ist
