// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The differences between two fabrics, as text for the log and the status.
#pragma once

#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// One line for each difference, such as "cable S-0-0:2 – S-0-1:1 is gone". Nodes are compared by
/// GUID, cables by the GUIDs and ports of their ends.
std::vector<std::string> changes(const Fabric& before, const Fabric& after);

}  // namespace selvedge
