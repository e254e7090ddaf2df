// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of a fabric that a proof needs, in flat arrays. A proof keeps a copy of its own, because
// its revision needs the ends of cables that have since been removed.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::prover {

struct Wiring {
  Wiring() = default;
  explicit Wiring(const Fabric& fabric);

  /// Stands for a switch id where there is no switch.
  SwitchId nowhere() const { return switches; }
  unsigned ports(SwitchId s) const { return first[s + 1] - first[s] - 1; }
  PortNum port(Channel c) const { return static_cast<PortNum>(c - first[owner[c]]); }
  /// The channel in the reverse direction: it arrives where channel `at` leaves. Valid only if a
  /// switch is at the far end.
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

  /// The number of ordered pairs of attached hosts in one component of the physical fabric.
  std::uint64_t pairs() const;
  /// Renames the components: each takes the name of the component of `old` with which it shares
  /// most switches. Then a switch has changed component exactly if its component's name has
  /// changed.
  void match_component_names(const Wiring& old);

  std::uint32_t switches = 0;
  std::vector<Channel> first;    // channels of switch s: first[s] (port 0) … first[s + 1] − 1
  std::vector<SwitchId> owner;   // per switch channel: the switch that it leaves
  std::vector<SwitchId> to;      // per switch channel: the switch that it leads to, or nowhere()
  std::vector<PortNum> arrival;  // per switch channel: the port at which it arrives there
  std::vector<std::uint32_t> attached_first;
  std::vector<Attached> attached_list;
  std::vector<SwitchId> host_at;         // per host: its switch; nowhere() without a cable
  std::vector<PortNum> host_port;        // per host: its switch's port to it
  std::vector<std::uint32_t> component;  // per switch: the name of its physical component
  std::vector<LidOwner> lid_owner;       // per LID: the node that has it
  std::vector<End> end;  // per LID; {nowhere(), 0} if it has no owner or a detached one
};

}  // namespace selvedge::prover
