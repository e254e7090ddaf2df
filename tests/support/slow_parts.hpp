// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#pragma once

#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::test {

/// As connected_parts(), the slow way: labels pass along cables until none changes.
inline std::vector<SwitchId> slow_parts(const Fabric& fabric) {
  std::vector<SwitchId> of(fabric.num_switches());
  for (SwitchId s = 0; s < of.size(); ++s) of[s] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (SwitchId s = 0; s < of.size(); ++s)
      for (const Channel c : fabric.out(s))
        if (of[fabric.target(c)] < of[s]) {
          of[s] = of[fabric.target(c)];
          changed = true;
        }
  }
  return of;
}

}  // namespace selvedge::test
