// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All the paths of one pair, the disjoint ones first.
#pragma once

#include <string>
#include <vector>

#include "plugin/tables/paths.hpp"

namespace selvedge::route {

/// An end of paths as the user named it: a host, or a switch's own port 0.
struct Node {
  std::string name;
  SwitchId at = kNoSwitch;
  PortNum port = 0;  // by which its packets enter that switch; 0 = it is the switch
  HostId host = kNoHost;
  Lid lid = kNoLid;
  unsigned lids = 1;
};

/// The host, else the switch, of this name (naming.hpp). Throws InputError for a name that no node
/// or more than one has. Also for a node that has no cable, no LID or has failed.
Node find_node(const Fabric& fabric, const std::string& name);

struct PairPath {
  Lid dlid = kNoLid;
  unsigned offset = 0;    // dlid − the base LID
  bool disjoint = false;  // one of a largest disjoint set
  Path path;
};

/// One for each LID of the destination: first those of the disjoint set, shortest first, then the
/// others that arrive, then what does not arrive; within each by offset.
std::vector<PairPath> paths_between(const Fabric& fabric, const Tables& tables, const Node& source,
                                    const Node& destination);

}  // namespace selvedge::route
