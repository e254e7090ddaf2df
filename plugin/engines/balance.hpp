// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From the next hops that an engine allows to LFTs. For one destination switch, an engine gives the
// order in which the paths grow and the arcs that each switch may take. The balancer picks one arc
// for each switch and LID. It spreads the paths of all LIDs over the links, and the LIDs of one
// host over different links.
//
// All base LIDs are routed before any further LID, because most applications use base LIDs only. So
// base LIDs are as balanced at any LMC as at LMC 0.
//
// Load: the number of paths between hosts that cross an arc, each LID of a host counting 1/2^LMC. A
// switch takes the arc whose whole path to the destination has the least total load, not the arc
// that has the least load itself. In a fat tree the choice on the way up fixes the way down. So the
// load of the way down must count when the way up is chosen.
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

/// The shape of all paths to one switch.
struct NextHops {
  /// The switches that have a path: the destination first, and each other switch after all switches
  /// that its arcs lead to.
  std::vector<SwitchId> order;
  std::vector<std::uint32_t> first;  // per place in `order`, and one past the last, into `arcs`
  std::vector<Arc> arcs;

  void clear() {
    order.clear();
    first.assign(1, 0);
    arcs.clear();
  }
  /// Adds `s` to the order; the arcs added since the last call are its arcs.
  void close(SwitchId s) {
    order.push_back(s);
    first.push_back(static_cast<std::uint32_t>(arcs.size()));
  }
};

class Balancer {
 public:
  /// Both must outlive the balancer. `graph` is the one whose arcs NextHops names.
  Balancer(const Fabric& fabric, const SwitchGraph& graph);

  /// Writes the LFT entries of the LIDs whose paths end at `destination`: the switch's own and the
  /// base LIDs of its hosts.
  void route_base(SwitchId destination, const NextHops& hops);
  /// The hosts' further LIDs. Call it when every destination has its base LIDs.
  void route_other_lids(SwitchId destination, const NextHops& hops);
  /// Has any host further LIDs?
  bool has_other_lids() const { return has_other_lids_; }

  /// The most that any arc carries so far.
  std::uint64_t highest_load() const { return load_.empty() ? 0 : std::ranges::max(load_); }
  std::uint64_t total_load() const {
    return std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
  }

  /// The tables, when every destination was routed.
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
  std::vector<Arc> arc_of_;  // per switch channel

  std::vector<std::uint64_t> load_;       // per arc
  std::vector<std::uint8_t> used_;        // per arc: how many LIDs of the current host use it
  std::vector<std::uint64_t> path_load_;  // per switch
  std::vector<Arc> choice_;               // per switch
  std::vector<std::uint32_t> sources_;    // per switch: its hosts
  std::vector<std::uint32_t> carried_;    // per switch: hosts whose path passes it

  // LFTs are rows of LIDs, but a destination is a column. Columns are collected and written
  // together, so that a row's cache lines and pages are visited once for kColumns LIDs.
  static constexpr std::size_t kColumns = 64;
  std::size_t columns_ = 0;
  std::array<Lid, kColumns> column_lid_{};
  std::vector<PortNum> column_;  // [column][switch]
};

}  // namespace selvedge
