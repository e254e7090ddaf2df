// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up and down, cable by cable, found in tables that were made by nobody knows whom, and turned
// round here and there when a fault asks for it.
//
// Tables whose turns never go down and then up are free of deadlock on one VL (Schroeder et al.
// 1991; plugin/engines/updn/orientation.hpp). Which end of each cable is the upper one can be read
// from the turns: the switch at which a route turns must not be below both of its neighbours. So
// the lowest switch of all is one at which nothing turns, the next one a switch at which nothing
// turns between two that are still left, and so on; if at some point there is none, no order of the
// switches has what is asked for. (To put a switch down there never takes a choice away from
// another one.)
//
// Montañana's successors of up*/down* compute directions anew after a fault. Here a few cables are
// turned round: if a switch that is not the root has lost its last way up (a sink), paths over it
// are missing; turning one cable at it gives it a way up again. To turn the cable from w up to u
// into one from u up to w closes a circle only if another way leads up from w to u.
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
  /// Per channel: does it lead to the upper end of its cable? Nothing if the turns follow no order.
  /// Where there is a choice, switches that are further from the roots of `hint` come lower.
  static std::optional<UpDirections> find(const LiveRoutes& routes,
                                          const std::optional<std::vector<Channel>>& hint);

  bool up(Channel c) const { return up_[c]; }
  const std::vector<bool>& bits() const { return up_; }

  /// The switches such that each comes before those to which its cables lead up, where they are
  /// alive; some are missing if these lead in a circle.
  std::vector<SwitchId> from_below(const LiveRoutes& routes, const std::vector<bool>& alive) const;

  /// Turns cables round until, in each piece of what is left, every switch has a way up to one root
  /// that all share. With `random`, any cables that serve, else those at which fewest routes turn.
  /// Returns how many switch pairs were turned. `alive` per channel.
  unsigned join_roots(const LiveRoutes& routes, const std::vector<bool>& alive,
                      StableRandom* random);

  /// Makes the directions of these cables, which come back, go with those that are there.
  void admit(const LiveRoutes& routes, const std::vector<bool>& alive,
             const std::vector<Channel>& back);

 private:
  struct Turned {
    SwitchId from;  // the one that is below from now on
    Way way;
  };
  bool climbs(const LiveRoutes& routes, const std::vector<bool>& alive, SwitchId from, SwitchId to,
              bool directly) const;
  std::optional<Turned> choose(const LiveRoutes& routes, const std::vector<bool>& alive,
                               const std::vector<SwitchId>& piece,
                               const std::vector<std::uint8_t>& joined, StableRandom* random) const;
  std::uint64_t cost(const LiveRoutes& routes, const std::vector<bool>& alive,
                     const Turned& t) const;
  void set(const LiveRoutes& routes, SwitchId from, SwitchId to);

  std::vector<bool> up_;
};

}  // namespace selvedge
