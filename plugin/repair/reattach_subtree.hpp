// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Repairs one LID's paths after a fault, under given up and down directions. The entries of all
// switches for a LID form a tree. Switches below a failed link or switch (orphans) are reattached.
// Every path is of one kind:
//
//   D  down on every link to the owner
//   U  up first, then legal
//   X  a kept path that the directions forbid (they have changed since): it stays, but no orphan
//      is attached to it
//
// An orphan becomes D if a cable leads down to a D switch, else U if a cable leads up to a D or U
// switch. If some switch with hosts finds no place, only the kept D switches stay and all others
// are reattached; they take their old entries again where these lead up. Then every switch has a
// place if one root is above all switches.
//
// First the set of orphans is as small as possible: the switches whose own cable has failed and, if
// one of them was D, those that reach it going down only. A sender that goes up to an orphan may
// stay, because after a link up both directions are legal. So most faults change one entry for each
// LID, not one for each path.
//
// Of this room only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/repair/live_routes.hpp"

namespace selvedge {

class ReattachSubtree {
 public:
  ReattachSubtree(LiveRoutes& routes, const std::vector<bool>& alive);

  /// Sets the directions, for the cables that are alive now.
  void set_directions(const std::vector<bool>& up);
  /// Removes a failed channel.
  void remove(Channel c) { direction_[c] = LinkDirection::kFailed; }

  /// Writes the orphans' entries; entries that lead to them stay. If not all orphans find a place,
  /// writes nothing and returns false. Senders above an orphan must be orphans too, because they
  /// cannot use an orphan that becomes U. `directions_hold`: this holds, and all kept paths obey
  /// the directions. If not `directions_hold`, kept paths are followed to check them.
  bool reattach_locally(Lid lid, std::span<const SwitchId> orphans, bool directions_hold);

  /// After reattach_locally() returned false: appends the switches above an unplaced orphan whose
  /// paths lead to orphans, and the switches on these paths. If they become orphans too, all may
  /// find places.
  void list_blocking(std::span<const SwitchId> orphans, std::vector<SwitchId>& blocking) const;

  /// Writes the entries of `orphans`: switches physically connected with the LID's owner, including
  /// all senders of each. Returns the number of switches with hosts left without a path.
  std::size_t reattach(Lid lid, std::span<const SwitchId> orphans);

  /// If reattach() left switches without a path: reattaches all but the kept D switches.
  /// `component`: the switches that are physically connected with the owner.
  std::size_t reattach_all(Lid lid, std::span<const SwitchId> orphans,
                           std::span<const SwitchId> component);

 private:
  enum class PathKind : std::uint8_t { kUnknown, kOrphan, kDown, kUp, kForbidden };
  enum class LinkDirection : std::uint8_t { kFailed, kDown, kUp };  // of a channel
  struct SwitchState {
    std::uint32_t round = 0;  // if not round_, the kind is unknown
    std::uint32_t load = 0;   // of the cable offered to an orphan
    PathKind kind = PathKind::kUnknown;
    std::uint8_t hops = 0;   // to the owner; of an orphan, as offered
    PortNum port = kNoPort;  // offered to an orphan
  };

  bool reattach_one(SwitchId s);
  std::uint8_t count_hops(SwitchId s) const;
  void start_lid(Lid lid);
  SwitchState& state(SwitchId s) {
    if (states_[s].round != round_) states_[s] = {round_, 0, PathKind::kUnknown, 0, kNoPort};
    return states_[s];
  }
  SwitchState classify(SwitchId s);
  void classify_path(SwitchId s);
  void mark_orphans(std::span<const SwitchId> switches);
  std::size_t attach(std::span<const SwitchId> orphans);
  void offer(SwitchId to, std::uint8_t hops, Channel over, PortNum port);
  template <class F>
  std::size_t settle_all(PathKind kind, F settled);
  std::size_t write(std::span<const SwitchId> orphans);

  LiveRoutes& routes_;
  const std::vector<bool>& alive_;
  std::vector<LinkDirection> direction_;  // per channel
  Lid lid_ = kNoLid;
  SwitchId destination_switch_ = kNoSwitch;
  std::uint32_t round_ = 0;
  std::vector<SwitchState> states_;  // per switch
  std::vector<SwitchId> path_, reattached_;
  std::vector<PortNum> ports_;
  // Buckets of orphans by offered hops (an orphan may be in several). All buckets outside
  // first_bucket_ … last_bucket_ are empty.
  std::vector<std::vector<SwitchId>> buckets_;
  unsigned first_bucket_, last_bucket_;
};

}  // namespace selvedge
