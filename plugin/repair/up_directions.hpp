// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up and down directions of the cables, derived from tables of any origin. After a fault some of
// them are reversed ("turned").
//
// Tables whose turns never go down and then up are free of deadlock on one VL (Schroeder et al.
// 1991; plugin/engines/updn/orientation.hpp). The upper end of each cable follows from the turns: a
// switch at which a route turns must not be below both neighbours. So the lowest switch is one at
// which no route turns. The next one is a switch at which no route turns between two remaining
// switches, and so on. If no such switch is left, no valid order exists. (Placing a switch never
// removes a choice of another switch.)
//
// The schemes of Montañana 2008 based on up*/down* compute new directions after a fault. Here only
// a few cables are turned. A switch other than the root without a cable up is a second root, and
// paths over it are missing; turning one of its cables gives it a way up again. Turning a cable
// that leads up from w to u closes a cycle only if another path leads up from w to u.
//
// Of this room only.
#pragma once

#include <optional>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/live_routes.hpp"

namespace selvedge {

class UpDirections {
 public:
  /// Finds directions; nullopt if the turns follow no order. Where there is a choice, switches
  /// further from the roots of the tree `hint` are placed lower.
  static std::optional<UpDirections> find(const LiveRoutes& routes,
                                          const std::optional<std::vector<Channel>>& hint);

  bool up(Channel c) const { return up_[c]; }
  const std::vector<bool>& bits() const { return up_; }

  /// The switches in an order in which each precedes those to which its working cables lead up.
  /// Switches on or above a cycle of such cables are missing.
  std::vector<SwitchId> from_below(const LiveRoutes& routes, const std::vector<bool>& alive) const;

  /// Turns cables until, in each physical piece, every switch has a path up to one common root.
  /// With `random` it takes any suitable cables, else those at which fewest routes turn. Returns
  /// the number of switch pairs turned. `alive`: per channel.
  unsigned join_roots(const LiveRoutes& routes, const std::vector<bool>& alive,
                      StableRandom* random);

  /// Sets the directions of the restored cables `back` so that they agree with the others.
  void direct_restored(const LiveRoutes& routes, const std::vector<bool>& alive,
                       const std::vector<Channel>& back);

 private:
  struct FlippedCable {
    SwitchId from;  // the end that is below from now on
    AdjacentLink link;
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
