// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Routes hosts and switches one after another by up*/down*, and balances each with those before.
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
  UpDown(const Fabric& fabric, const SwitchGraph& bare, const Orientation& orientation,
         const BalanceOptions& balance = {})
      : graph_(directed(bare, orientation.rank)),
        balancer_(fabric, graph_, balance.ignored),
        phases_(graph_, orientation),
        hops_(graph_) {
    std::vector<bool> placed(fabric.num_hosts(), false);
    for (const HostId h : balance.first) {
      if (placed[h] || !fabric.attached(h) || fabric.node(fabric.host(h).at).failed) continue;
      placed[h] = true;
      add(fabric.host(h).at, {h}, false);
    }
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (fabric.node(s).failed) continue;
      std::vector<HostId> others;
      for (const HostId h : fabric.hosts_at(s))
        if (!placed[h]) others.push_back(h);
      add(s, std::move(others), true);
    }
  }

  void route_base(const EngineProgress& progress) {
    each([&](std::size_t i,
             const NextHops& hops) { balancer_.route_base(at_[i], hosts_[i], own_lid_[i], hops); },
         progress);
  }
  void route_other_lids(const EngineProgress& progress) {
    if (!balancer_.has_other_lids()) return;
    each([&](std::size_t i,
             const NextHops& hops) { balancer_.route_other_lids(at_[i], hosts_[i], hops); },
         progress);
  }

  /// Valid after route_base(): the load of the busiest link, then the total length of all paths.
  std::pair<std::uint64_t, std::uint64_t> cost() const {
    return {balancer_.highest_load(), balancer_.total_load()};
  }
  Tables finish() && { return std::move(balancer_).finish(); }

 private:
  void add(SwitchId at, std::vector<HostId> hosts, bool own_lid) {
    at_.push_back(at);
    hosts_.push_back(std::move(hosts));
    own_lid_.push_back(own_lid);
  }

  template <class Route>
  void each(const Route& route, const EngineProgress& progress) {
    for (std::size_t base = 0; base < at_.size(); base += UpDownPhases::kTile) {
      const std::span<const SwitchId> tile(at_.data() + base,
                                           std::min(UpDownPhases::kTile, at_.size() - base));
      phases_.compute(tile);
      for (std::size_t k = 0; k < tile.size(); ++k) route(base + k, hops_.collect(phases_.keys(k)));
      if (progress) progress(base + tile.size(), at_.size());
    }
  }

  const SwitchGraph graph_;
  Balancer balancer_;
  UpDownPhases phases_;
  UpDownHops hops_;
  // What is routed, in this order: some hosts at a switch, and perhaps its own LID.
  std::vector<SwitchId> at_;
  std::vector<std::vector<HostId>> hosts_;
  std::vector<bool> own_lid_;
};

}  // namespace selvedge
