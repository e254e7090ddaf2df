// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths that tables hold, and which of a pair's paths are disjoint. (The verifier has its own
// walk and its own disjointness: it includes none of this.)
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The way of a packet from a source switch to a DLID.
struct Path {
  enum class End { kArrives, kNoRoute, kLoop, kDeadCable, kDropped };
  End end = End::kNoRoute;
  std::vector<SwitchId> switches;  // from the source's to the last one reached
  std::vector<Channel> channels;   // between those switches
  std::vector<Vl> vls;             // per channel, for a packet that enters at `in`
  Sl sl = 0;

  bool arrives() const { return end == End::kArrives; }
  std::size_t hops() const { return channels.size(); }
};

/// Walks from `source` (entering by port `in`: a host's port there; 0 = the switch itself).
Path walk(const Fabric& fabric, const Tables& tables, SwitchId source, PortNum in, Lid dlid);

/// Offsets into the destination's LID range: a largest set whose paths from this switch share no link
/// and no switch but the two end switches (a direct cable counts), shortest path first, and among
/// equals the lower offset. Offsets that don't arrive are left out. On the destination's own switch:
/// {0}.
std::vector<unsigned> disjoint_lids(const Fabric& fabric, const Tables& tables, SwitchId source,
                                    HostId destination);

}  // namespace selvedge
