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
  Rehang(LiveRoutes& routes, const std::vector<bool>& alive) : routes_(routes), alive_(alive) {
    const std::size_t n = routes.whole().num_switches();
    place_.resize(n);
    length_.resize(n);
    found_.resize(n);
  }

  /// `orphans`: switches of the piece in which the LID's owner is, all senders of each included;
  /// their entries are written. Returns the number of switches with hosts that were left without.
  std::size_t hang(Lid lid, std::span<const SwitchId> orphans, const std::vector<bool>& up);

  /// Where hang() left some without: all but the kept D anew. `piece`: the switches that are
  /// physically connected with the owner.
  std::size_t hang_all(Lid lid, std::span<const SwitchId> orphans, std::span<const SwitchId> piece,
                       const std::vector<bool>& up);

 private:
  enum class Place : std::uint8_t { kUnknown, kOrphan, kDown, kUp, kForbidden };
  struct Offer {
    std::uint32_t length, load;
    SwitchId at;
    PortNum port;
    friend auto operator<=>(const Offer&, const Offer&) = default;
  };
  void begin(Lid lid);
  void set(SwitchId s, Place place, std::uint32_t length);
  Place classify(SwitchId s);
  void attach(std::span<const SwitchId> orphans, bool going_up);
  std::size_t write(std::span<const SwitchId> orphans);

  LiveRoutes& routes_;
  const std::vector<bool>& alive_;
  const std::vector<bool>* up_ = nullptr;
  Lid lid_ = kNoLid;
  std::vector<Place> place_;           // per switch
  std::vector<std::uint32_t> length_;  // per switch, links to the owner
  std::vector<PortNum> found_;         // per orphan's switch: its new port
  std::vector<SwitchId> touched_, trail_, anew_;
  std::vector<PortNum> ports_;
  std::vector<Offer> offers_;  // a heap
};

}  // namespace selvedge
