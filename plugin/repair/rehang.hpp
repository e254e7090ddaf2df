// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One LID's paths after a fault, under given directions of up and down. The entries of all switches
// for a LID form a tree; those that hang on something dead (orphans) are hung up again:
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
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/repair/live_routes.hpp"

namespace selvedge {

class Rehang {
 public:
  Rehang(LiveRoutes& routes, const std::vector<bool>& alive);

  /// The directions from now on, for the cables that are there now. `obeyed`: no path that is kept
  /// goes down and then up, so that the first channel of a path tells D from U; else paths are
  /// followed.
  void under(const std::vector<bool>& up, bool obeyed);

  /// `orphans`: switches of the piece in which the LID's owner is, all senders of each included;
  /// their entries are written. Returns the number of switches with hosts that were left without.
  std::size_t hang(Lid lid, std::span<const SwitchId> orphans);

  /// Where hang() left some without: all but the kept D anew. `piece`: the switches that are
  /// physically connected with the owner.
  std::size_t hang_all(Lid lid, std::span<const SwitchId> orphans, std::span<const SwitchId> piece);

 private:
  enum class Place : std::uint8_t { kUnknown, kOrphan, kDown, kUp, kForbidden };
  enum class Lead : std::uint8_t { kNowhere, kDown, kUp };  // of a channel
  struct Spot {
    std::uint32_t round = 0;  // of another LID: unknown
    Place place = Place::kUnknown;
    std::uint8_t hops = 0;   // to the owner
    PortNum port = kNoPort;  // found for an orphan
  };
  /// Shortest first; among equals over the cable that fewest LIDs use, then by switch and port: one
  /// number, so that the least is found quickly.
  using Offer = std::uint64_t;
  Offer offer(std::uint8_t hops, Channel over, SwitchId at, PortNum port) const;

  void begin(Lid lid);
  Spot& spot(SwitchId s) {
    if (spots_[s].round != round_) spots_[s] = {round_, Place::kUnknown, 0, kNoPort};
    return spots_[s];
  }
  const Spot& look(SwitchId s);
  void follow(SwitchId s);
  void attach(std::span<const SwitchId> orphans);
  template <class F>
  void take_least(std::vector<Offer>& offers, Place place, F placed);
  std::size_t write(std::span<const SwitchId> orphans, bool hops_known);

  LiveRoutes& routes_;
  const std::vector<bool>& alive_;
  std::vector<Lead> lead_;  // per channel
  bool obeyed_ = true;
  Lid lid_ = kNoLid;
  SwitchId home_ = kNoSwitch;
  std::uint32_t round_ = 0;
  std::vector<Spot> spots_;  // per switch
  std::vector<SwitchId> trail_, anew_;
  std::vector<PortNum> ports_;
  std::vector<std::uint8_t> hops_;
  std::vector<Offer> down_, up_;  // heaps
};

}  // namespace selvedge
