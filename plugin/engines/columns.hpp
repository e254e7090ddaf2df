// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The trees towards one switch, one for each DLID of its hosts. Under one DLID the paths of all
// sources form a tree, since a switch forwards by the DLID alone (Montañana 2008 §4.2.1, stage 6).
// path_columns.hpp and stretched_columns.hpp make columns; column_writer.hpp writes them.
#pragma once

#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

struct Columns {
  unsigned used = 0;    // the first `used` columns are distinct trees
  unsigned stride = 0;  // of the arrays, ≥ used
  /// [switch · stride + column]: kNoArc at the destination, at switches that are cut off, and at
  /// switches from which the turn rules permit no path.
  std::vector<Arc> next;
  /// In the same order: the SLs that the path from that switch may use.
  std::vector<SlSet> sls;
  /// In the same order: 1 where the path from that switch is one of the disjoint paths that were
  /// chosen for it; 0 where it only completes the column. Empty: not known.
  std::vector<std::uint8_t> chosen;
  /// [column · switches + i]: the switches that have a path, each after its next hop; then
  /// kNoSwitch.
  std::vector<SwitchId> order;
};

}  // namespace selvedge
