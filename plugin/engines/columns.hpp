// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The trees towards one switch, one for each DLID of its hosts. For one DLID the paths of all
// sources form a tree, since a switch forwards by the DLID alone (Montañana 2008 §4.2.1, stage 6).
// A column is such a tree: for each switch the arc to its next hop. disjoint/path_columns.hpp and
// spftr/stretched_columns.hpp make columns; column_writer.hpp writes them into tables.
#pragma once

#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

struct Columns {
  unsigned used = 0;    // columns 0…used−1 are distinct trees
  unsigned stride = 0;  // columns in the arrays, at least `used`
  /// Index: switch · stride + column. The arc to the next hop; kNoArc at the destination, at
  /// switches that are cut off, and at switches from which the turn rules permit no path.
  std::vector<Arc> next;
  /// With the same index: the SLs that the path from that switch may use.
  std::vector<SlSet> sls;
  /// With the same index: 1 if the path from that switch is one of the disjoint paths that were
  /// chosen for the switch; 0 if the path only completes the column. Empty: not known.
  std::vector<std::uint8_t> chosen;
  /// Index: column · switches + i. The switches that have a path, each after its next hop; then
  /// kNoSwitch up to the end of the column.
  std::vector<SwitchId> order;
};

}  // namespace selvedge
