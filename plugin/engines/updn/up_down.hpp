// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/balance.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/engines/updn/up_down_phases.hpp"

namespace selvedge {

/// Up*/down* routing under one orientation.
class UpDown {
 public:
  UpDown(const Fabric& fabric, const SwitchGraph& bare, const Orientation& orientation)
      : graph_(directed(bare, orientation.rank)),
        balancer_(fabric, graph_),
        phases_(graph_, orientation),
        hops_(graph_) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed) destinations_.push_back(s);
  }

  void route_base(const EngineProgress& progress) {
    each([&](SwitchId s, const NextHops& hops) { balancer_.route_base(s, hops); }, progress);
  }
  void route_other_lids(const EngineProgress& progress) {
    if (!balancer_.has_other_lids()) return;
    each([&](SwitchId s, const NextHops& hops) { balancer_.route_other_lids(s, hops); }, progress);
  }

  /// Valid after route_base(): the load of the busiest link, then the total length of all paths.
  std::pair<std::uint64_t, std::uint64_t> cost() const {
    return {balancer_.highest_load(), balancer_.total_load()};
  }
  Tables finish() && { return std::move(balancer_).finish(); }

 private:
  template <class Route>
  void each(const Route& route, const EngineProgress& progress) {
    for (std::size_t base = 0; base < destinations_.size(); base += UpDownPhases::kTile) {
      const std::span<const SwitchId> tile(
          destinations_.data() + base, std::min(UpDownPhases::kTile, destinations_.size() - base));
      phases_.compute(tile);
      for (std::size_t k = 0; k < tile.size(); ++k) route(tile[k], hops_.collect(phases_.keys(k)));
      if (progress) progress(base + tile.size(), destinations_.size());
    }
  }

  const SwitchGraph graph_;
  Balancer balancer_;
  UpDownPhases phases_;
  UpDownHops hops_;
  std::vector<SwitchId> destinations_;
};

}  // namespace selvedge
