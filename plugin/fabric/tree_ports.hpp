// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The ports of missing cables. Port numbers do not matter to the form of a tree, but they show
// where missing cables belong: trees are mostly cabled with the same port of each switch for the
// same neighbour.
#pragma once

#include <vector>

#include "plugin/fabric/tree_blocks.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge::tree {

/// Fills in lower_ports and upper_ports of each pair in `missing`.
void infer_ports(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                 std::vector<TreePair>& missing);

/// Adds the unused port ranges between `level` and the level above, if the ports in the blocks
/// there follow a rule.
void find_unused_ports(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                       unsigned level, std::vector<UnusedPortRange>& unused_ports);

}  // namespace selvedge::tree
