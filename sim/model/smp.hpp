// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Subnet management packets as the network carries them (docs/simulator.md, "Management by a subnet
// manager"): where they begin and end, and their route. The network does not know their contents;
// their sender stores those under the SMP's tag.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "plugin/fabric/ids.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/model/statistics.hpp"

namespace selvedge::sim {

/// A port that sends and receives SMPs: a host's port, or port 0 of a switch.
struct SmpEnd {
  enum class Kind : std::uint8_t { kHost, kSwitch };
  Kind kind = Kind::kHost;
  std::uint32_t id = 0;  // HostId or SwitchId
  friend bool operator==(const SmpEnd&, const SmpEnd&) = default;
};

inline constexpr unsigned kMaxSmpHops = 63;  // IBA 1.3 §14.2.1.2

struct Smp {
  bool directed = false;
  Lid dlid = kNoLid;        // if not directed
  std::uint8_t hops = 0;    // links of a directed route, at least 1
  std::uint8_t passed = 0;  // how many of these links the SMP has crossed
  std::uint16_t bytes = 0;  // on the wire
  std::uint32_t tag = 0;    // chosen by the sender, to find the contents
  /// A directed route, from index 1 on. out[i]: the port by which the SMP leaves on hop i (initial
  /// path); in[i]: the port by which it arrives after hop i (return path).
  std::array<PortNum, kMaxSmpHops + 1> out{}, in{};
  friend bool operator==(const Smp&, const Smp&) = default;
};

/// The directed route back to where this SMP came from.
inline Smp route_back(const Smp& smp) {
  Smp back{.directed = true, .hops = smp.hops, .bytes = smp.bytes, .tag = smp.tag};
  for (unsigned i = 1; i <= smp.hops; ++i) back.out[i] = smp.in[smp.hops + 1U - i];
  return back;
}

/// An SMP that has arrived at its end.
struct SmpArrival {
  Tick at = 0;
  SmpEnd end;
  PortNum port = 0;  // if the end is a switch: the port by which the SMP came
  Smp smp;
  friend bool operator==(const SmpArrival&, const SmpArrival&) = default;
};

/// An SMP that was lost.
struct LostSmp {
  std::uint32_t tag = 0;
  Loss cause = Loss::kCut;
  friend auto operator<=>(const LostSmp&, const LostSmp&) = default;
};

/// Whether a network carries SMPs. If so, every port needs memory for one more lane, VL 15.
/// kWithEpochs: its switches also have epochs, and discard packets by them (Montañana 2008 ch. 6).
/// kWithLayers: its switches also have an LFT for each of two VLs (Layering).
/// kWithTokens: its switches also have the next LFT beside the present one, and tokens that
/// separate the packets of one from those of the other (Montañana 2008
/// §7.4).
enum class Managed : std::uint8_t { kNo, kYes, kWithEpochs, kWithLayers, kWithTokens };

/// A way through a switch.
struct Turn {
  PortNum in = 0, out = 0;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

/// What a switch with layers does with data packets. Each VL has its own LFT. A packet is forwarded
/// by the LFT of the VL by which it came, on the same VL but for what is said here.
enum class Layering : std::uint8_t {
  kSeparate,
  kDraining,  // all packets leave on VL 0
  /// The head of an input queue of VL 0 goes on to VL 1, by VL 1's LFT, when its output queue lacks
  /// credits.
  kEscaping,
};

}  // namespace selvedge::sim
