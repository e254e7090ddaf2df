// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads LFTs and SL2VL tables by directed-route SMPs, which need no LFT.
//
// Of a switch's SL2VL table the rows between ports with cables are read, and those from port 0.
// Rows of other pairs of ports carry no packet; they are taken to be the switch's most frequent
// row. A port with one data VL need not have SL2VL tables (IBA 1.3 §14.2.5.8): if a node refuses
// the question, its SLs are taken to be on VL 0. LFT entries above a switch's LinearFDBTop, and
// entries of ports that it does not have, are no routes.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plugin/capture/subnet_access.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::capture {

struct SwitchTables {
  Tables tables;                     // without SLs
  std::vector<std::string> remarks;  // what was unusual, one line each
};

/// Throws Unsettled if a node does not answer.
SwitchTables read_switch_tables(SubnetAccess& access, const Fabric& fabric, Progress& progress);

}  // namespace selvedge::capture
