// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which arcs a path may take towards each destination switch. The arcs towards one destination form
// no cycle, so any choice of one of them for each switch is a tree.
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge::balanced {

class Ways {
 public:
  /// Shortest paths, by hops or by the graph's weights.
  static Ways shortest(const SwitchGraph& graph);
  /// Arcs count one to three times their length, as drawn from `seed`, and every arc is permitted
  /// that leads nearer by these lengths. So paths may be a little longer than the shortest, and
  /// each seed gives other ways.
  static Ways relaxed(const SwitchGraph& graph, std::uint64_t seed);
  /// Up*/down* paths (updn/up_down_phases.hpp). The graph has no directions.
  static Ways up_down(const SwitchGraph& graph, const Orientation& orientation);

  bool may(SwitchId to, Arc a) const {
    const std::size_t bit = std::size_t{to} * arcs_ + a;
    return (bits_[bit >> 6] >> (bit & 63)) & 1;
  }
  /// The switches that have a path to `to`, each after all those to which its arcs lead.
  std::span<const std::uint16_t> order(SwitchId to) const {
    return {order_.data() + std::size_t{to} * switches_, reached_[to]};
  }
  /// The most switches of a graph.
  static constexpr std::size_t kMostSwitches = UINT16_MAX;

 private:
  static constexpr std::uint32_t kFar = UINT32_MAX;

  explicit Ways(const SwitchGraph& graph);
  static Ways nearer(const SwitchGraph& graph, const std::vector<std::uint32_t>& arc_length,
                     bool shortest_only);
  void permit(SwitchId to, Arc a) {
    const std::size_t bit = std::size_t{to} * arcs_ + a;
    bits_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
  }

  void set_order(SwitchId to, std::span<const std::uint32_t> length);

  std::size_t switches_, arcs_;
  std::vector<std::uint64_t> bits_;     // [destination][arc]
  std::vector<std::uint16_t> order_;    // [destination][rank]: a switch
  std::vector<std::uint16_t> reached_;  // per destination: how many of its ranks are in use
};

}  // namespace selvedge::balanced
