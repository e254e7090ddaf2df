// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The trees towards one switch, one for each DLID that its hosts have: under one DLID the paths of
// all sources form a tree, since a switch forwards on the DLID alone (Montañana 2008 §4.2.1,
// stage 6). What path_columns.hpp and stretched_columns.hpp make, and column_writer.hpp writes.
#pragma once

#include <vector>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

struct Columns {
  unsigned used = 0;    // columns that are trees of their own: the first ones
  unsigned stride = 0;  // of the arrays, ≥ used
  /// [switch · stride + column]: kNoArc at the destination, at switches that are cut off, and at
  /// those for which the rules have no way that fits.
  std::vector<Arc> next;
  /// The same order: the SLs with which the path from there may be travelled.
  std::vector<SlSet> sls;
  /// [column · switches + i]: the switches that have a way, each after the one that it goes to;
  /// then kNoSwitch.
  std::vector<SwitchId> order;
};

}  // namespace selvedge
