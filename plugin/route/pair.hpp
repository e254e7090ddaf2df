// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All paths of one pair, the disjoint ones first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/tables/paths.hpp"

namespace selvedge::route {

/// An end of paths that the user named: a host, or a switch itself (its port 0).
struct Node {
  std::string name;
  SwitchId at = kNoSwitch;
  PortNum port = 0;  // the switch's port to the host; 0: the switch itself is the end
  HostId host = kNoHost;
  Lid lid = kNoLid;
  unsigned lids = 1;
};

/// The host with this name (naming.hpp); if there is none, the switch. Throws InputError for a name
/// that no node or more than one node has, and for a node that has failed or has no cable or no
/// LID.
Node find_node(const Fabric& fabric, const std::string& name);

/// Whether `home` passes the cables of `forth` in reverse.
bool reversed(const Fabric& fabric, const Path& forth, const Path& home);

struct PairPath {
  Lid dlid = kNoLid;
  unsigned offset = 0;    // dlid minus the base LID
  bool disjoint = false;  // whether it is in a largest set of disjoint paths
  Path path;
  /// The offset of the source's LID to which the destination's path is `path` in reverse: the
  /// same offset if that is one, else the lowest; unset: none.
  std::optional<unsigned> back;
};

/// The paths to each LID of the destination. First come those of the disjoint set, shortest first;
/// then other paths that arrive; then those that do not. Within each group they are sorted by
/// offset.
std::vector<PairPath> paths_between(const Fabric& fabric, const Tables& tables, const Node& source,
                                    const Node& destination);

}  // namespace selvedge::route
