// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric small enough to see through, whose hosts have the LIDs that a test wants.
#pragma once

#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::test {

/// Two cables between two switches, at ports 1 and 2. Host i is at port 3 of switch i and has
/// `lids[i]`; at most two hosts.
///
///   H0 ─ S0 ══╪══ S1 ─ H1
inline Fabric two_switches(const std::vector<Lid>& lids) {
  FabricBuilder builder;
  for (const Guid guid : {1, 2}) {
    Switch node;
    node.guid = guid;
    node.ports = 3;
    builder.add_switch(node);
  }
  for (const PortNum cable : {1, 2}) builder.connect(0, cable, 1, cable);
  for (SwitchId at = 0; at < lids.size(); ++at) {
    Host host;
    host.node_guid = host.guid = 3 + at;
    host.at = at;
    host.port = 3;
    host.lid = lids[at];
    builder.add_host(host);
  }
  return std::move(builder).build("two switches");
}

}  // namespace selvedge::test
