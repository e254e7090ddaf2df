// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns the next hops that an engine allows into LFTs. For one destination switch, an engine gives
// an order of the switches, from the destination outwards, and the arcs that each switch may take.
// The balancer chooses one of these arcs for each switch and LID. It spreads the paths of all LIDs
// over the links, and the LIDs of one host over different links.
//
// The base LIDs of all destinations are routed before any further LID, because most applications
// use base LIDs only. So the paths of base LIDs are as balanced at any LMC as at LMC 0.
//
// The load of an arc is the number of paths between hosts that cross it; a path to one LID of a
// host counts 1/2^LMC. A switch takes the arc from which the whole path to the destination has the
// least total load, not the arc with the least load itself. In a fat tree the choice on the way up
// determines the path down. So the load on the way down must count when the way up is chosen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The arcs (channels between switches) that paths to one destination switch may take.
struct NextHops {
  /// The switches that have a path: the destination first, then each switch after all switches to
  /// which its arcs lead.
  std::vector<SwitchId> order;
  std::vector<std::uint32_t> first;  // arcs of order[i]: arcs[first[i]] … arcs[first[i + 1] − 1]
  std::vector<Arc> arcs;

  void clear() {
    order.clear();
    first.assign(1, 0);
    arcs.clear();
  }
  /// Appends `s` to the order. Its arcs are those appended to `arcs` since the last call.
  void close(SwitchId s) {
    order.push_back(s);
    first.push_back(static_cast<std::uint32_t>(arcs.size()));
  }
};

class Balancer {
 public:
  /// `fabric` and `graph` must outlive the balancer. The arcs in NextHops are those of `graph`.
  /// `ignored`: BalanceOptions::ignored.
  Balancer(const Fabric& fabric, const SwitchGraph& graph,
           const std::vector<std::uint8_t>& ignored = {});

  /// Writes the LFT entries of the base LIDs of all hosts at `destination`, and of the LID of the
  /// switch.
  void route_base(SwitchId destination, const NextHops& hops) {
    route_base(destination, fabric_.hosts_at(destination), true, hops);
  }
  /// Writes the LFT entries of the base LIDs of some hosts at `destination`, and of the LID of the
  /// switch if `own_lid`.
  void route_base(SwitchId destination, std::span<const HostId> hosts, bool own_lid,
                  const NextHops& hops);
  /// Writes the LFT entries of the other LIDs of all hosts at `destination`, those above the base
  /// LID. May be called only after route_base() was called for every host.
  void route_other_lids(SwitchId destination, const NextHops& hops) {
    route_other_lids(destination, fabric_.hosts_at(destination), hops);
  }
  void route_other_lids(SwitchId destination, std::span<const HostId> hosts, const NextHops& hops);
  /// Whether any host has an LMC above 0.
  bool has_other_lids() const { return has_other_lids_; }

  /// The load of the most loaded arc so far, in 1/128 of a path (a path to one LID counts 1/2^LMC).
  std::uint64_t highest_load() const { return load_.empty() ? 0 : std::ranges::max(load_); }
  std::uint64_t total_load() const {
    return std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
  }

  /// The tables. May be called once every destination is routed.
  Tables finish() &&;

 private:
  void choose(const NextHops& hops, PortNum* column);
  void route_lid(Lid lid, SwitchId destination, PortNum last, const NextHops& hops, unsigned lmc);
  void add_loads(const NextHops& hops, std::uint64_t share);
  void make_room(std::size_t columns);
  PortNum* new_column(Lid lid, const NextHops& hops);
  void flush();

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  Tables tables_;
  bool has_other_lids_ = false;
  bool base_written_ = false;
  std::vector<Arc> arc_of_;  // per switch channel: its arc

  std::vector<std::uint8_t> ignored_;     // per arc: whether its load is not counted; or empty
  std::vector<std::uint64_t> load_;       // per arc: its load so far
  std::vector<std::uint8_t> used_;        // per arc: LIDs of the current host that use it
  std::vector<std::uint64_t> path_load_;  // per switch: load of its path to the destination
  std::vector<Arc> choice_;               // per switch: the arc chosen for the current LID
  std::vector<std::uint32_t> sources_;    // per switch: the number of its hosts
  std::vector<std::uint32_t> carried_;    // per switch: hosts whose path passes it

  // An LFT is stored by switch (a row of LIDs), but a destination's entries lie in all LFTs (a
  // column). So kColumns columns are collected and written together: then each cache line and page
  // of an LFT is visited once for all of them.
  static constexpr std::size_t kColumns = 64;
  std::size_t columns_ = 0;
  std::array<Lid, kColumns> column_lid_{};
  std::vector<PortNum> column_;  // [column][switch]: the port to that LID
};

}  // namespace selvedge
