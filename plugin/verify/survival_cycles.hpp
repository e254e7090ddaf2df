// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds out, for tables whose dependency graph has a cycle, whether a cycle remains after faults. A
// fault may remove the cycle, so each combination of faults is examined. A cycle that was found is
// stored with the elements that it depends on: for each of its dependencies, the elements on the
// path of one source whose packets make that dependency. As long as none of these elements fails,
// the cycle remains, and no proof is needed.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <span>
#include <vector>

#include "plugin/verify/further.hpp"
#include "plugin/verify/survival_damage.hpp"

namespace selvedge::survival {

class Cycles {
 public:
  /// Keeps references to all. `further`: SLs that paths have besides; nullptr: none.
  Cycles(const Fabric& fabric, const Tables& tables, const FurtherSls* further,
         const Elements& elements);

  /// Whether the dependency graph has a cycle after these faults.
  bool any_left(std::span<const Element> faults);

 private:
  bool known_cycle_left(std::span<const Element> faults);
  void store(const Fabric& left, const Witness& cycle);

  const Fabric& fabric_;
  const Tables& tables_;
  const FurtherSls* further_;
  const Elements& elements_;
  std::vector<Bits> needs_;  // per known cycle its elements; useful ones move to the front
};

}  // namespace selvedge::survival
