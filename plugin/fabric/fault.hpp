// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fault as a value, and the fabric that remains without its failed parts. Ids of nodes and
// channels never change: a failed switch keeps its id but has no cables, a failed cable leaves both
// its ports empty, and hosts without their cable are unattached.
#pragma once

#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Fault {
  std::vector<Channel> links;  // one of the two channels of each cable
  std::vector<SwitchId> switches;

  bool empty() const { return links.empty() && switches.empty(); }
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Reads names as users write them. A switch has its name or GUID (naming.hpp). A cable is named by
/// a port at one end, `S-0-0:2`, or by its two switches, `S-0-0/S-0-1`, which means all parallel
/// cables between them. Names may contain ':' and '/'. Throws InputError for a name that matches
/// nothing, or that several switches have.
Fault parse_fault(const Fabric& fabric, const std::vector<std::string>& names);

/// The fault in words, for messages: "switch S-1-1, S-0-0:2 – S-0-1:1".
std::string describe(const Fabric& fabric, const Fault& fault);

/// The fabric without the failed parts. Parts that have failed before are ignored. The time is
/// O(channels). The fabric is copied with its names, unless it is moved in.
Fabric without(Fabric fabric, const Fault& fault);

/// What works in `fabric` but not in `other`, in the ids of `fabric`. The two fabrics may differ in
/// their ids, so nodes are compared by GUID and cables by port. The result has switches, and cables
/// whose two switches work in both fabrics. It has no cables of hosts or of missing switches.
Fault missing_from(const Fabric& other, const Fabric& fabric);

/// The channels whose cable was added, removed or moved between two fabrics with the same ids. Both
/// channels of each cable are listed, ascending.
std::vector<Channel> rewired(const Fabric& before, const Fabric& after);

}  // namespace selvedge
