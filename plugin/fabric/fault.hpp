// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is broken, as a value, and the fabric that is left. Ids never move, neither of
// nodes nor of channels: a failed switch stays in its place without cables, a failed cable leaves
// both its ports empty, and hosts that lost their cable are unattached.
#pragma once

#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Fault {
  std::vector<Channel> links;  // either channel of each cable
  std::vector<SwitchId> switches;

  bool empty() const { return links.empty() && switches.empty(); }
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Reads names as users write them: a switch by its name or GUID (naming.hpp); a cable by a port at
/// one end, `S-0-0:2`, or by the two switches, `S-0-0/S-0-1` (all parallel cables between them).
/// Names may themselves hold ':' and '/'. Throws InputError for a name that fits nothing, or that
/// several switches have.
Fault parse_fault(const Fabric& fabric, const std::vector<std::string>& names);

/// As people read it: "switch S-1-1, S-0-0:2 – S-0-1:1".
std::string describe(const Fabric& fabric, const Fault& fault);

/// The fabric that is left. What is out already is no fault twice. O(channels), and a copy of the
/// names unless the fabric is handed over.
Fabric without(Fabric fabric, const Fault& fault);

/// What works in `fabric` and not in `other`, in the ids of `fabric`; they may have other ids, and
/// are compared by GUID and port. Switches, and cables between switches that work in both: what
/// hangs on a missing switch is not named, nor are the cables of hosts. O(channels).
Fault missing_from(const Fabric& other, const Fabric& fabric);

/// The channels of cables that came or went between two fabrics with the same ids, both of each
/// cable, ascending.
std::vector<Channel> rewired(const Fabric& before, const Fabric& after);

}  // namespace selvedge
