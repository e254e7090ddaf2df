// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's tables, as a fabric value. Callers hold OpenSM's lock.
#pragma once

#include "plugin/fabric/fabric.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

struct Census {
  Fabric fabric;           // switches and hosts in the order of their GUIDs
  unsigned port_vls = 15;  // data VLs that every port on a switch cable has
};

/// Throws InputError if OpenSM's tables contradict themselves (a LID twice, during a change).
Census take_census(const osm_opensm_t& osm);

}  // namespace selvedge
