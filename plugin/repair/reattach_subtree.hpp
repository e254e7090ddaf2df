// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One LID's paths after a fault, under given directions of up and down. The entries of all switches
// for a LID form a tree; those that hang on something dead (orphans) are reattached:
//
//   D  all the way down to the owner
//   U  up first, then legal
//   X  a kept path that the directions forbid (they were turned round since): left alone, but
//      nobody is hung on it
//
// Orphans become D where a cable leads down to a D, and U where a cable leads up to either. If that
// leaves a switch with hosts out, only the D that were kept stay, all others are hung up anew, and
// take their old entries again where these lead up: then every switch has a place as long as one
// root is above all.
//
// First it is tried with as few orphans as can be: the switches whose own cable is gone and, where
// one of them was D, those that reach it all the way down. Whoever sends up to them may stay, since
// a way up may go on either way; so most faults cost an entry for each LID, and not one for each
// path.
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

  /// The directions from now on, for the cables that are there now.
  void under(const std::vector<bool>& up);
  /// This channel is not there any more.
  void lose(Channel c) { lead_[c] = Lead::kNowhere; }

  /// The orphans' entries are written; what leads to them stays. If not all of them find a place,
  /// nothing is written and the answer is false. Of an orphan's senders, those from above must be
  /// orphans too: an orphan that becomes U is no place for them. `obeyed`: that is so under these
  /// directions, and all paths that are kept obey them; if not, they are followed.
  bool reattach_near(Lid lid, std::span<const SwitchId> orphans, bool obeyed);

  /// After reattach_near() said no: switches above an orphan without a place whose paths lead to
  /// orphans, and those on the way. As orphans they may find another. Appended.
  void list_blocking(std::span<const SwitchId> orphans, std::vector<SwitchId>& blocking) const;

  /// `orphans`: switches of the piece in which the LID's owner is, all senders of each included;
  /// their entries are written. Returns the number of switches with hosts that were left without.
  std::size_t reattach(Lid lid, std::span<const SwitchId> orphans);

  /// Where reattach() left some without: all but the kept D anew. `piece`: the switches that are
  /// physically connected with the owner.
  std::size_t reattach_all(Lid lid, std::span<const SwitchId> orphans,
                           std::span<const SwitchId> piece);

 private:
  enum class Place : std::uint8_t { kUnknown, kOrphan, kDown, kUp, kForbidden };
  enum class Lead : std::uint8_t { kNowhere, kDown, kUp };  // of a channel
  struct Spot {
    std::uint32_t round = 0;  // of another LID: unknown
    std::uint32_t load = 0;   // of the cable that is offered to an orphan
    Place place = Place::kUnknown;
    std::uint8_t hops = 0;   // to the owner; of an orphan, as offered
    PortNum port = kNoPort;  // offered to an orphan
  };

  bool reattach_one(SwitchId s);
  std::uint8_t count_hops(SwitchId s) const;
  void begin(Lid lid);
  Spot& spot(SwitchId s) {
    if (spots_[s].round != round_) spots_[s] = {round_, 0, Place::kUnknown, 0, kNoPort};
    return spots_[s];
  }
  Spot look(SwitchId s);
  void follow(SwitchId s);
  void orphan(std::span<const SwitchId> switches);
  std::size_t attach(std::span<const SwitchId> orphans);
  void offer(SwitchId to, std::uint8_t hops, Channel over, PortNum port);
  template <class F>
  std::size_t place_all(Place place, F placed);
  std::size_t write(std::span<const SwitchId> orphans);

  LiveRoutes& routes_;
  const std::vector<bool>& alive_;
  std::vector<Lead> lead_;  // per channel
  Lid lid_ = kNoLid;
  SwitchId home_ = kNoSwitch;
  std::uint32_t round_ = 0;
  std::vector<Spot> spots_;  // per switch
  std::vector<SwitchId> trail_, anew_;
  std::vector<PortNum> ports_;
  // Orphans by the hops that were offered them, some of them more than once; what is not empty lies
  // between the two.
  std::vector<std::vector<SwitchId>> due_;
  unsigned first_due_, last_due_;
};

}  // namespace selvedge
