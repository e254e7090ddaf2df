// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Rejoins a multicast tree that has lost cables, by cables that close no cycle of dependencies with
// the rest of the graph. Groups use parts of one spanning tree, in all directions, on SL 0.
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {

/// The dependencies of the tree, each once; nullopt if SL2VL tables drop some of its packets.
/// `only`: those at these switches.
std::optional<std::vector<DependencyOrder::Edge>> tree_edges(
    const Fabric& fabric, const Tables& tables, const ParentChannels& tree,
    std::optional<std::span<const SwitchId>> only = std::nullopt);

/// Adds the dependencies of a tree; false if they close a cycle, or SL2VL tables drop its packets.
bool add_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
              const ParentChannels& tree);

/// Adds cables, from `start` (kNoSwitch: any) outwards, until physically connected hosts are in one
/// tree; false if that closes a cycle. Switches without hosts may stay outside.
bool join_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
               ParentChannels& tree, SwitchId start);

}  // namespace selvedge
