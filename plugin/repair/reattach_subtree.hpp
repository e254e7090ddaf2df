// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Repairs one LID's paths after a fault, under given up and down directions of the cables. The
// entries of all switches for a LID form a tree with the LID's owner at its root. Switches that a
// fault cuts off from this tree (orphans) are reattached: each gets a new next hop. A switch is of
// the kind of its path:
//
//   D  every link of the path leads down
//   U  the first link leads up, to a switch that is D or U
//   X  the path was legal when it was made but violates the present directions: it stays, but no
//      orphan takes this switch as its next hop
//
// An orphan becomes D if a cable leads down to a D switch, else U if a cable leads up to a D or U
// switch. If some orphan with hosts finds neither, only the unbroken D switches keep their entries
// and all others are reattached; they take their old entries again where these lead up. Then every
// switch finds a next hop if one root is above all switches.
//
// At first the set of orphans is as small as possible: the switches whose own cable has failed, and
// the switches that reach one of these by links down only. A switch that goes up to an orphan keeps
// its entry, because its path is legal whether the orphan becomes D or U. So most faults change one
// entry for each LID, not one for each path.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/repair/live_routes.hpp"

namespace selvedge {

class ReattachSubtree {
 public:
  ReattachSubtree(LiveRoutes& routes, const std::vector<bool>& alive);

  /// Sets the directions (per channel: whether it leads up) of the cables that work now.
  void set_directions(const std::vector<bool>& up);
  /// Notes that a channel has failed, so that it is not used.
  void remove(Channel c) { direction_[c] = LinkDirection::kFailed; }

  /// Writes the LFT entries of the orphans (switches that lost their path to the LID); other
  /// switches keep theirs. If some orphan finds no next hop, writes nothing and returns false. A
  /// switch that goes down to an orphan must be an orphan too: its path is illegal if the orphan's
  /// first link leads up. `directions_hold`: the caller knows that this is so and that all other
  /// paths obey the directions. If false, the other paths are followed to check them.
  bool reattach_locally(Lid lid, std::span<const SwitchId> orphans, bool directions_hold);

  /// After reattach_locally() returned false: appends to `blocking` switches that could serve
  /// orphans without a next hop. These switches are above such an orphan, but their own paths lead
  /// to orphans; the other switches on these paths are appended too. If all become orphans, every
  /// orphan may find a next hop.
  void list_blocking(std::span<const SwitchId> orphans, std::vector<SwitchId>& blocking) const;

  /// Writes the LFT entries of the orphans (switches that lost their path to the LID). These must
  /// be physically connected with the LID's owner, and must include every switch whose path leads
  /// through one of them. Returns the number of switches with hosts left without a path.
  std::size_t reattach(Lid lid, std::span<const SwitchId> orphans);

  /// To be called if reattach() left switches without a path. Gives all switches new paths but
  /// those whose unbroken path leads down only. `component`: the switches physically connected with
  /// the LID's owner. Returns the number of switches with hosts left without a path.
  std::size_t reattach_all(Lid lid, std::span<const SwitchId> orphans,
                           std::span<const SwitchId> component);

 private:
  enum class PathKind : std::uint8_t { kUnknown, kOrphan, kDown, kUp, kForbidden };
  /// The direction of a channel, or that it does not work.
  enum class LinkDirection : std::uint8_t { kFailed, kDown, kUp };
  struct SwitchState {
    std::uint32_t round = 0;  // the other fields are valid only if this equals round_
    std::uint32_t load = 0;   // of the channel of the best next hop found so far for an orphan
    PathKind kind = PathKind::kUnknown;
    std::uint8_t hops = 0;   // to the LID's owner; for an orphan, by the best next hop so far
    PortNum port = kNoPort;  // of the best next hop found so far for an orphan
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
  std::vector<SwitchState> states_;  // per switch, for the present LID
  std::vector<SwitchId> path_, reattached_;
  std::vector<PortNum> ports_;
  // buckets_[h]: orphans to which a next hop with h hops to the owner was offered (an orphan may be
  // in several). All buckets outside first_bucket_ … last_bucket_ are empty.
  std::vector<std::vector<SwitchId>> buckets_;
  unsigned first_bucket_, last_bucket_;
};

}  // namespace selvedge
