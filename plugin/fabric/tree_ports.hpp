// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Port numbers tell nothing about what a tree is, and much about where its missing cables belong:
// whoever cabled it mostly used the same port of each switch for the same neighbour.
#pragma once

#include <vector>

#include "plugin/fabric/tree_blocks.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge::tree {

/// Fills in lower_ports and upper_ports.
void guess_ports(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                 std::vector<TreePair>& missing);

/// Adds the holes of a stage above `level`, if its ports follow a rule by which they can be told.
void find_holes(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                unsigned level, std::vector<UnusedPortRange>& holes);

}  // namespace selvedge::tree
