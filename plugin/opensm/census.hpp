// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Converts OpenSM's data about the subnet to a Fabric. Callers hold OpenSM's lock.
#pragma once

#include <vector>

#include "plugin/engines/balance_options.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

struct Census {
  Fabric fabric;                    // switches and hosts in the order of their GUIDs
  unsigned port_vls = kMaxDataVls;  // the number of data VLs that every cabled port has
  bool sl2vl = true;                // whether every switch has SL2VL tables
  /// With OpenSM's option avoid_throttled_links: one end of each cable between switches that is
  /// slower than both of its ports are enabled for.
  std::vector<PortName> throttled;
};

/// Throws InputError if OpenSM's data contradict themselves, as they may during a change (for
/// example, if two ports have the same LID).
Census take_census(const osm_opensm_t& osm);

/// The number of data VLs that a code of PortInfo's VLCap means (IBA 1.3 §14.2.5.6): 1 = VL0, 2 =
/// VL0–1, 3 = VL0–3, 4 = VL0–7, 5 = VL0–14.
unsigned vls_of_code(unsigned code);

}  // namespace selvedge
