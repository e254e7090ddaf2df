// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The one loop by which ReaddressState follows an LFT.
#pragma once

#include "plugin/repair/readdress_state.hpp"

namespace selvedge {

/// f(turn, switch, channel in, channel out, is this the last turn, out of the home?) for each
/// switch of the walk; the first channel in is kNoChannel. Ends early if f returns false. Returns
/// true if it came to the home of the LID.
template <class F>
bool ReaddressState::each_turn(SwitchId at, Lid lid, F f) const {
  const ReaddressLayout& l = *layout_;
  const std::uint32_t end = l.end_of[lid];
  const SwitchId home = end == ReaddressLayout::kNoEnd ? kNoSwitch : l.ends[end].home;
  Channel in = kNoChannel;
  for (std::size_t steps = 0; steps <= l.ports.size(); ++steps) {
    const PortNum port = s_.tables.next(at, lid);
    if (port == kNoPort || port > l.ports[at]) return false;
    const Channel out = l.first[at] + port;
    const std::size_t turn = in == kNoChannel ? l.start(at, port) : l.turn(in, port);
    const bool last = at == home;
    if (!last && l.to[out] == kNoSwitch) return false;
    if (!f(turn, at, in, out, last)) return false;
    if (last) return true;
    in = out;
    at = l.to[out];
  }
  return false;
}

}  // namespace selvedge
