// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of a fabric that a proof needs, in flat arrays. A proof keeps its own copy, because a
// revision needs the ends of cables that have been removed.
//
// Of this room only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::prover {

struct Wiring {
  Wiring() = default;
  explicit Wiring(const Fabric& fabric);

  /// Used in place of a switch id if there is no switch.
  SwitchId nowhere() const { return switches; }
  unsigned ports(SwitchId s) const { return first[s + 1] - first[s] - 1; }
  PortNum port(Channel c) const { return static_cast<PortNum>(c - first[owner[c]]); }
  /// The channel that arrives at port `in` of switch s; only if a switch is at its other end.
  Channel incoming(Channel at) const { return first[to[at]] + arrival[at]; }

  struct Attached {
    HostId host;
    PortNum port;
  };
  std::span<const Attached> attached(SwitchId s) const {
    return {attached_list.data() + attached_first[s], attached_first[s + 1] - attached_first[s]};
  }

  bool has_host(SwitchId s, PortNum port) const {
    for (const Attached& a : attached(s))
      if (a.port == port) return true;
    return false;
  }

  /// Where the paths to a LID end: a switch and the port out of it (0: the switch itself).
  struct End {
    SwitchId at;
    PortNum port;
    friend bool operator==(const End&, const End&) = default;
  };

  /// Ordered pairs of attached hosts in one component.
  std::uint64_t pairs() const;
  /// Gives each component the name of the component of `old` with which it shares most switches. A
  /// switch whose component has another name than before has then changed component.
  void match_component_names(const Wiring& old);

  std::uint32_t switches = 0;
  std::vector<Channel> first;    // per switch, and one past the last
  std::vector<SwitchId> owner;   // per switch channel: the switch that it leaves
  std::vector<SwitchId> to;      // per switch channel: the switch that it leads to, or nowhere()
  std::vector<PortNum> arrival;  // per switch channel: the port at which it arrives there
  std::vector<std::uint32_t> attached_first;
  std::vector<Attached> attached_list;
  std::vector<SwitchId> host_at;         // per host; nowhere() if its cable is missing
  std::vector<PortNum> host_port;        // per host
  std::vector<std::uint32_t> component;  // per switch
  std::vector<LidOwner> lid_owner;       // per LID
  std::vector<End> end;  // per LID; {nowhere(), 0} if its owner is detached or it has none
};

}  // namespace selvedge::prover
