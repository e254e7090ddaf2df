// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cables between two levels of a tree, and the blocks that they form (TreeBlock in
// tree_form.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge::tree {

/// The neighbours of each switch across one stage (two adjacent levels). Parallel cables lead to
/// one neighbour; `cables` is how many there are.
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
  /// The neighbours of s in the other level of the stage, ascending.
  const std::vector<Neighbour>& of(SwitchId s) const { return neighbours_[s]; }
  unsigned cables(SwitchId lower, SwitchId upper) const;

 private:
  std::span<const SwitchId> lower_, upper_;
  std::vector<std::vector<Neighbour>> neighbours_;  // per switch: its neighbours in the other level
};

/// Finds the blocks of a stage, in O(E·d) time for E cables and up to d neighbours of a switch.
std::vector<TreeBlock> find_blocks(const StageGraph& graph, std::uint32_t num_switches);

}  // namespace selvedge::tree
