// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How a MAD travels from a port of one node to a port of another, as an interface. A packet is
// sent; later, perhaps before send() returns, it arrives or is lost, and the listener hears of it.
// The free-running clock carries packets at once (hop_by_hop.hpp). A simulated network can carry
// them over VL 15 of its links instead, so no caller may rely on an arrival within send().
#pragma once

#include <cstdint>

#include "sim/control/mad.hpp"
#include "sim/emulate/subnet.hpp"

namespace selvedge::sim {

/// A MAD with the addresses of its packet (IBA 1.3 §7.7, §9.2). Changes on its way: a directed
/// route writes hop pointer and return path.
struct MadPacket {
  Mad mad;
  Lid slid = 0, dlid = 0;  // kPermissiveLid where a directed route alone decides
  std::uint32_t source_qp = 0, destination_qp = 0;
  /// Bytes of the MAD that count: a client of the SA reads from it how many records there are.
  std::uint16_t length = kMadBytes;
};

enum class LossCause : std::uint8_t {
  kNoRoute,     // no LFT entry, or a directed route through a port that does not exist
  kLinkDown,    // also a port that is not active for LID-routed packets
  kNotForHere,  // arrived at a node that does not own the LID, or hops that make no sense
  kLoop,        // more hops than a route can have
  kCable,       // by the console's `loss`
};
inline constexpr unsigned kLossCauses = 5;

class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// At a node's port; of a switch, the port by which it came (0: it began there).
  virtual void arrived(PortAt at, MadPacket& packet) = 0;
  virtual void lost(const MadPacket& packet, LossCause cause) = 0;
};

class MadTransport {
 public:
  virtual ~MadTransport() = default;
  /// From an adapter's port, or from a switch's port 0.
  virtual void send(PortAt from, MadPacket& packet, Arrivals& to) = 0;
  /// An agent has executed a Set. Whoever reads the agents themselves need not follow.
  virtual void follow(NodeId /*n*/, const SmaChange& /*change*/) {}
  /// A switch was restarted: its tables are as after power on.
  virtual void follow_restart(NodeId /*n*/) {}
  /// Links at this node went down or came up.
  virtual void follow_links(NodeId /*n*/) {}
};

}  // namespace selvedge::sim
