// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which next hops each switch may take towards a destination, under a strict order of the switches
// (orientation.hpp). The original up*/down* (Schroeder et al. 1991) decides by the port at which a
// packet came in. A linear forwarding table does not know that port. So for each destination a
// switch must be in one phase: its packets go up, or they go down. For each destination switch d:
//
//  down(x)  the length of the shortest path from x to d that only goes down (∞: there is none).
//
//  Phases are computed from the uppermost switch to the lowest. Switch x is *bound* (to go down) if
//  a switch above it goes down to d and may do so through x. A bound switch goes down. Any other
//  switch takes the shorter of down(x) and 1 + the shortest length of a switch above it. If both
//  are equal it goes down, unless Tie::kUp is given. If x goes down, every switch z below it with
//  down(z) = down(x) − 1 becomes bound. (z is later in the order than x. So whatever binds z is
//  known when z is processed.)
//
// Why that is free of deadlock on one VL, with any SLs from any source, replies included: a switch
// that goes down leads to bound switches only, and these go down too. So the next hops for one LID,
// wherever a packet enters, form up channels followed by down channels. No LFT entry makes a turn
// from a down channel into an up channel. A cycle of channel dependencies would have to remain
// among the up channels, or among the down channels. But each of these sets is ordered by the ranks
// of the switches (Dally & Seitz 1987). The turn of a packet from a host, or from a switch itself,
// begins no dependency between switches. The last hop, to a host, ends all dependencies.
//
// Bound switches make some paths longer: Schroeder's paths, which depend on the incoming port, are
// never longer and sometimes shorter. A table that is indexed by the destination alone cannot have
// them.
//
// If the graph has weights, an arc counts as many hops as its weight says, and a switch is bound by
// an arc that belongs to such a shortest way down. Nothing else above depends on the lengths.
//
// kTile destinations are processed at a time, in vectors of 16-bit lengths, since the same pairs of
// neighbours are compared for all destinations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/balance.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// Lengths and phases of every switch, for the destinations of one tile (up to kTile switches).
class UpDownPhases {
 public:
  static constexpr std::size_t kTile = 16;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Whether paths from a switch begin upwards or only go down, if both ways are equally long. Down
  /// avoids the root. Up is better if several top switches serve equally well (tree/order.hpp).
  enum class Tie : bool { kDown, kUp };

  /// Both references must outlive this object. The graph must be directed by the orientation's
  /// ranks.
  UpDownPhases(const SwitchGraph& graph, const Orientation& orientation, Tie tie = Tie::kDown);

  /// Computes the phases for these destinations, at most kTile.
  void compute(std::span<const SwitchId> destinations);

  /// Whether a switch with this key (as in keys()) may use an arc of this length to a switch with
  /// the key `beyond`. `down`: the arc leads down.
  static bool may_use(std::uint32_t key, bool down, std::uint32_t beyond, unsigned length) {
    if (key == kNone || beyond == kNone || (key & 1u) != down) return false;
    return (down ? beyond : beyond | 1u) + 2 * length == key + (down ? 0 : 1);
  }

  /// For the k-th destination, per switch: kNone if it has no path, else twice the length of its
  /// path, plus 1 if that path only goes down.
  std::span<const std::uint32_t> keys(std::size_t k) const {
    return {key_.data() + k * graph_.num_switches(), graph_.num_switches()};
  }

 private:
  using Row = std::array<std::uint16_t, kTile>;  // one value for each destination of the tile

  template <bool kWeighted>
  void descend(std::span<const SwitchId> destinations);
  template <bool kWeighted>
  void ascend();
  void transpose(std::size_t used);

  const SwitchGraph& graph_;
  const Orientation& orientation_;
  const Tie tie_;
  std::vector<Row> down_, length_;  // per switch: down(x), and the length of its path
  std::vector<Row> goes_down_;      // per switch: all bits if it goes down, else 0
  std::vector<std::uint32_t> key_;  // [destination][switch]: see keys()
};

/// Collects the next hops towards one destination, from UpDownPhases::keys(). Switches are sorted
/// by length, then by id.
class UpDownHops {
 public:
  explicit UpDownHops(const SwitchGraph& graph);

  const NextHops& collect(std::span<const std::uint32_t> keys);
  std::size_t reached() const { return reached_; }

 private:
  void sort_by_length(std::span<const std::uint32_t> keys);

  const SwitchGraph& graph_;
  NextHops hops_;
  std::vector<SwitchId> by_length_;
  std::vector<std::uint32_t> places_;
  std::size_t reached_ = 0;
};

}  // namespace selvedge
