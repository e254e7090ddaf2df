// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cables between two levels of a tree, and the blocks that they form (tree_form.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge::tree {

/// Neighbours across one stage; parallel cables are one neighbour with a count.
class StageGraph {
 public:
  struct Neighbour {
    SwitchId at;
    unsigned cables;
  };

  StageGraph(const Fabric& fabric, std::span<const SwitchId> lower,
             std::span<const SwitchId> upper);

  std::span<const SwitchId> lower() const { return lower_; }
  std::span<const SwitchId> upper() const { return upper_; }
  /// The neighbours in the other level of the stage, ascending.
  const std::vector<Neighbour>& of(SwitchId s) const { return neighbours_[s]; }
  unsigned cables(SwitchId lower, SwitchId upper) const;

 private:
  std::span<const SwitchId> lower_, upper_;
  std::vector<std::vector<Neighbour>> neighbours_;  // per switch
};

/// O(E·d), d the largest number of neighbours.
std::vector<TreeBlock> find_blocks(const StageGraph& graph, std::uint32_t num_switches);

}  // namespace selvedge::tree
