// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's tables, as a fabric value. Callers hold OpenSM's lock.
#pragma once

#include "plugin/fabric/fabric.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

struct Census {
  Fabric fabric;                    // switches and hosts in the order of their GUIDs
  unsigned port_vls = kMaxDataVls;  // data VLs that every cabled port has
  bool sl2vl = true;                // has every switch SL2VL tables?
};

/// Throws InputError if OpenSM's tables contradict themselves (a LID twice, during a change).
Census take_census(const osm_opensm_t& osm);

/// Data VLs, from PortInfo's code (IBA 1.3 §14.2.5.6): 1 = VL0, 2 = VL0–1, 3 = VL0–3, 4 = VL0–7,
/// 5 = VL0–14.
unsigned vls_of_code(unsigned code);

}  // namespace selvedge
