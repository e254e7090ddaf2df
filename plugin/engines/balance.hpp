// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From "which next hops are allowed" to LFTs. An engine says, for one destination switch, in what
// order the paths grow and which arcs each switch may take; the balancer picks one arc a switch and
// LID, so that the paths of all LIDs spread over the links, and those of one host's LIDs over
// different ones.
//
// All base LIDs are routed before any further LID: so they are as balanced at any LMC as at LMC 0,
// for most applications use no others.
//
// Load: the number of paths between hosts that cross an arc, each LID of a host counting 1/2^LMC.
// A switch takes the arc whose path to the destination has the least load in sum, not the arc that
// has the least load itself: in a fat tree the way down is fixed by the choice on the way up, and
// only so does a busy way down count when the way up is chosen.
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
  /// The switches that have a path: the destination first, and every other one after all those that
  /// its arcs lead to.
  std::vector<SwitchId> order;
  std::vector<std::uint32_t> first;  // per place in `order`, and one past the last, into `arcs`
  std::vector<Arc> arcs;

  void clear() {
    order.clear();
    first.assign(1, 0);
    arcs.clear();
  }
  /// The arcs added since the last call are those of `s`.
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
  /// The hosts' further LIDs, when every destination has its base LIDs.
  void route_further(SwitchId destination, const NextHops& hops);
  /// Has any host further LIDs?
  bool more_than_base() const { return more_than_base_; }

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
  bool more_than_base_ = false;
  bool base_written_ = false;
  std::vector<Arc> arc_of_;  // per switch channel

  std::vector<std::uint64_t> load_;       // per arc
  std::vector<std::uint8_t> used_;        // per arc: by how many LIDs of the host at hand
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
