// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Makes the multicast tree of a group from an engine's spanning tree: the smallest part of that
// tree that connects all members. Every group's tree is part of the tree of a group that all hosts
// have joined (broadcast_tree()). So a proof of the latter covers every group.
#pragma once

#include <optional>
#include <span>

#include "plugin/engines/engine.hpp"

namespace selvedge {

struct GroupMember {
  SwitchId at;              // the switch with the member's cable; or the member, a switch
  PortNum port = 0;         // the port of `at` to the member; 0: the switch `at` itself
  bool sends_only = false;  // whether it is in the tree but receives no packets
};

/// The multicast tree of a group: per switch, the ports that belong to it. Members in different
/// components of the spanning tree get separate trees.
MulticastTree group_tree(const Fabric& fabric, const SpanningTree& tree,
                         std::span<const GroupMember> members);

/// The multicast tree of a group that every attached host has joined.
MulticastTree broadcast_tree(const Fabric& fabric, const SpanningTree& tree);

/// That group by itself, under the first multicast LID. None without a spanning tree.
MulticastTables broadcast_group(const Fabric& fabric, const std::optional<SpanningTree>& tree);

}  // namespace selvedge
