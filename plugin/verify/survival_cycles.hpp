// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables whose dependency graph has a cycle may lose it with what fails: then each combination is
// asked anew. A cycle that is there is remembered with what holds it up: for each of its
// dependencies one source whose packets make it, and the elements that these need. As long as none
// of the elements fails, the cycle stays, and no proof is needed.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/verify/survival_damage.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::survival {

class Cycles {
 public:
  /// Refers to all three.
  Cycles(const Fabric& fabric, const Tables& tables, const Elements& elements);

  /// Is there a cycle in the dependency graph of what these faults leave?
  bool remain(std::span<const Element> faults);

 private:
  bool still_there(std::span<const Element> faults);
  void remember(const Fabric& left, const Witness& cycle);

  const Fabric& fabric_;
  const Tables& tables_;
  const Elements& elements_;
  std::vector<Bits> needs_;  // of each known cycle, the last one that was of use first
};

}  // namespace selvedge::survival
