// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Layers of paths: the dependencies of each layer, those of a VL, close no cycle (Dally & Seitz
// 1987). A topological order of the channels is kept for each layer, and changes where a new
// dependency needs it (Pearce & Kelly 2006).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/switch_graph.hpp"

namespace selvedge::multipath {

class Layers {
 public:
  /// Empty layers. Keeps a reference to the graph. `opposite`: per arc, the arc of the same cable
  /// in the other direction.
  Layers(const SwitchGraph& graph, std::span<const Arc> opposite, unsigned layers);

  /// Adds the dependencies of a path, its arcs in order. Adds none, and returns false, if they
  /// would close a cycle.
  bool add(unsigned layer, std::span<const Arc> path);
  unsigned count() const { return static_cast<unsigned>(layers_.size()); }

  /// The state now, for undo().
  std::size_t mark() const { return log_.size(); }
  /// Removes all dependencies that were added since.
  void undo(std::size_t mark);

 private:
  struct Layer {
    std::vector<std::uint8_t> edge;   // per possible dependency: whether it is there
    std::vector<std::uint32_t> rank;  // per arc: its position in the topological order
  };
  struct Added {
    std::uint32_t layer;
    std::size_t edge;
  };
  std::size_t edge_of(Arc from, Arc to) const {
    return first_[from] + (to - graph_.first[graph_.target[from]]);
  }
  bool insert(Layer& layer, Arc from, Arc to);

  const SwitchGraph& graph_;
  std::span<const Arc> opposite_;
  std::vector<std::size_t> first_;  // per arc: its first possible dependency
  std::vector<Layer> layers_;
  std::vector<Added> log_;
  std::vector<Arc> later_, earlier_;  // of insert()
  std::vector<std::uint8_t> seen_;
};

}  // namespace selvedge::multipath
