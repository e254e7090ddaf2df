// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Joins the parts of a multicast tree that has lost cables. The new cables close no cycle in the
// dependency graph of unicast routes and tree. Every multicast group uses a part of this one
// spanning tree, so packets cross its switches between any two tree ports, on SL 0.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {

/// The dependencies of the multicast tree's packets, each once; nullopt if SL2VL tables drop some
/// of its packets. With `only`, just the dependencies at these switches.
std::optional<std::vector<DependencyOrder::Edge>> tree_edges(
    const Fabric& fabric, const Tables& tables, const ParentChannels& tree,
    std::optional<std::span<const SwitchId>> only = std::nullopt);

/// Adds the dependencies of a multicast tree's packets. False if they close a cycle, or if SL2VL
/// tables drop some of the packets.
bool add_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
              const ParentChannels& tree);

/// In each connected component, adds cables to one part of the tree until all switches with hosts
/// are in it. That is the part of `start` if `start` lies there, else the part of the first switch
/// with hosts. False if every cable that could be added closes a cycle. Switches without hosts may
/// stay outside.
bool join_tree(DependencyOrder& order, const Fabric& fabric, const Tables& tables,
               ParentChannels& tree, SwitchId start);

}  // namespace selvedge
