// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fault as a value, and the fabric that remains without the failed parts. Ids of nodes and
// channels never change: a failed switch keeps its id without cables, a failed cable leaves both
// its ports empty, and hosts that lost their cable are unattached.
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
/// Names may hold ':' and '/'. Throws InputError for a name that matches nothing, or that several
/// switches have.
Fault parse_fault(const Fabric& fabric, const std::vector<std::string>& names);

/// For messages: "switch S-1-1, S-0-0:2 – S-0-1:1".
std::string describe(const Fabric& fabric, const Fault& fault);

/// The fabric without the failed parts. Parts that have failed already are ignored. O(channels);
/// copies the fabric with its names unless it is moved in.
Fabric without(Fabric fabric, const Fault& fault);

/// What works in `fabric` but not in `other`, in the ids of `fabric`. The two fabrics may differ in
/// their ids; they are compared by GUID and port. Lists switches, and cables whose two switches
/// work in both fabrics. Cables of missing switches and of hosts are not listed.
Fault missing_from(const Fabric& other, const Fabric& fabric);

/// The channels whose cable was added, removed or moved between two fabrics with the same ids: both
/// channels of each cable, ascending.
std::vector<Channel> rewired(const Fabric& before, const Fabric& after);

}  // namespace selvedge
