// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A multicast tree that has lost cables, joined again by others that close no cycle of dependencies
// together with what else is in the graph. Groups use parts of one spanning tree, in all
// directions, on SL 0.
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {

/// The dependencies of the tree, each once; nothing if its SL2VL tables drop some of its packets.
/// `only`: those at these switches.
std::optional<std::vector<DependencyOrder::Edge>> tree_edges(
    const Fabric& fabric, const Tables& tables, const ParentChannels& tree,
    std::optional<std::span<const SwitchId>> only = std::nullopt);

/// Adds the dependencies of the tree that spans everybody; false if they close a cycle.
bool add_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
              const ParentChannels& tree);

/// Adds cables, from `start` (kNoSwitch: any) outwards, until hosts that cables join are in one
/// tree; false if that can't be done safely. Switches without hosts may stay out.
bool join_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
               ParentChannels& tree, SwitchId start);

}  // namespace selvedge
