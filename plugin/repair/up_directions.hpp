// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up and down directions of the cables, derived from tables of any origin. After a fault a few
// cables are turned: their directions are reversed.
//
// Tables in which no route goes down and then up are free of deadlock on one VL (Schroeder et al.
// 1991; plugin/engines/updn/orientation.hpp). Directions follow from an order of the switches, and
// the order from the turns: a switch through which a route passes between two neighbours must not
// be below both of them. So the lowest switch is one through which no route passes. The next one is
// a switch through which no route passes between two switches not yet in the order, and so on. If
// no such switch is left, no valid order exists. (Adding a switch to the order never makes another
// switch ineligible, so any eligible switch may come next.)
//
// The schemes of Montañana 2008 based on up*/down* compute all directions anew after a fault. Here
// only a few cables are turned. A switch without a cable up that is not the root is a second root:
// no path goes up from it, so paths between it and other switches are missing. Turning one of its
// cables gives it a path up again. Turning a cable that leads up from w to u closes a cycle only if
// another path leads up from w to u.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/live_routes.hpp"

namespace selvedge {

class UpDirections {
 public:
  /// Finds directions in which no path goes down, then up; nullopt if there are none. `hint`: a
  /// spanning tree. Of several switches that may come next in the order from below, the one deepest
  /// in this tree comes first.
  static std::optional<UpDirections> find(const LiveRoutes& routes,
                                          const std::optional<std::vector<Channel>>& hint);

  bool up(Channel c) const { return up_[c]; }
  const std::vector<bool>& bits() const { return up_; }

  /// The switches in an order in which each precedes those to which its working cables lead up.
  /// Switches on or above a cycle of such cables are missing.
  std::vector<SwitchId> from_below(const LiveRoutes& routes, const std::vector<bool>& alive) const;

  /// Reverses the directions of cables until, in each connected component, every switch has a path
  /// up to one common root. With `random` these are any suitable cables, else the cables for which
  /// the fewest routes violate the new directions. Parallel cables are reversed together. Returns
  /// between how many pairs of switches cables were reversed. `alive`: per channel, whether it
  /// works.
  unsigned join_roots(const LiveRoutes& routes, const std::vector<bool>& alive,
                      StableRandom* random);

  /// Sets the directions of the restored cables `back` (one channel of each) so that no cycle of up
  /// channels arises.
  void direct_restored(const LiveRoutes& routes, const std::vector<bool>& alive,
                       const std::vector<Channel>& back);

 private:
  struct FlippedCable {
    SwitchId from;      // the lower end after the turn
    AdjacentLink link;  // from `from` to the upper end after the turn
  };
  bool reaches_upwards(const LiveRoutes& routes, const std::vector<bool>& alive, SwitchId from,
                       SwitchId to, bool directly) const;
  std::optional<FlippedCable> choose(const LiveRoutes& routes, const std::vector<bool>& alive,
                                     const std::vector<SwitchId>& component,
                                     const std::vector<std::uint8_t>& joined,
                                     StableRandom* random) const;
  std::uint64_t cost(const LiveRoutes& routes, const std::vector<bool>& alive,
                     const FlippedCable& t) const;
  void set(const LiveRoutes& routes, SwitchId from, SwitchId to);

  std::vector<bool> up_;
};

}  // namespace selvedge
