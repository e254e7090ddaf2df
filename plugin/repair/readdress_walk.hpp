// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The loop by which ReaddressState (readdress_state.hpp) follows a path in the LFTs.
//
// Private to this folder: only its own files include this header.
#pragma once

#include "plugin/repair/readdress_state.hpp"

namespace selvedge {

/// Follows the LFT entries for the LID from switch `at`. Calls f(turn, switch, channel in, channel
/// out, last) for each switch on the way. `turn`: the index of (port in, port out), by
/// ReaddressLayout. `last`: this is the switch of the LID's owner. The first channel in is
/// kNoChannel. Stops if f returns false. Returns whether the owner's switch was reached and f
/// returned true for it.
template <class F>
bool ReaddressState::each_turn(SwitchId at, Lid lid, F f) const {
  const ReaddressLayout& l = *layout_;
  const std::uint32_t end = l.end_of[lid];
  const SwitchId destination_switch =
      end == ReaddressLayout::kNoEnd ? kNoSwitch : l.ends[end].destination_switch;
  // These pointers are read once. f writes bytes, which may alias anything, so the compiler would
  // otherwise load the pointers again after each call.
  const LftColumn next = s_.tables.column(lid);
  const std::size_t switches = l.ports.size();
  const PortNum* const ports = l.ports.data();
  const Channel* const first = l.first.data();
  const SwitchId* const to = l.to.data();
  const std::size_t* const turns = l.turn_first.data();
  std::size_t turn_first = l.start_first[at];
  Channel in = kNoChannel;
  for (std::size_t steps = 0; steps <= switches; ++steps) {
    const PortNum port = next[at];
    if (port == kNoPort || port > ports[at]) return false;
    const Channel out = first[at] + port;
    const bool last = at == destination_switch;
    if (!last && to[out] == kNoSwitch) return false;
    if (!f(turn_first + port, at, in, out, last)) return false;
    if (last) return true;
    in = out;
    turn_first = turns[out];
    at = to[out];
  }
  return false;
}

}  // namespace selvedge
