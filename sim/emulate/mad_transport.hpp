// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of transports, which carry MADs from a port of one node to a port of another. A MAD
// is sent; later it arrives or is lost, and Arrivals is called. HopByHop carries a MAD in no time,
// within send() (hop_by_hop.hpp). DataPlane carries SMPs over VL 15 of a simulated network
// (data_plane.hpp), so no caller may rely on an arrival within send().
#pragma once

#include <cstdint>

#include "sim/control/mad.hpp"
#include "sim/emulate/subnet.hpp"

namespace selvedge::sim {

/// A MAD with the addresses of its packet (IBA 1.3 §7.7, §9.2). It changes on its way: each node of
/// a directed route writes hop pointer and return path.
struct MadPacket {
  Mad mad;
  Lid slid = 0, dlid = 0;  // kPermissiveLid where a directed route alone decides
  std::uint32_t source_qp = 0, destination_qp = 0;
  /// Number of valid bytes of the MAD: a client of the SA computes from it how many records an
  /// answer has.
  std::uint16_t length = kMadBytes;
};

enum class LossCause : std::uint8_t {
  kNoRoute,     // no LFT entry, or a directed route through a port that does not exist
  kLinkDown,    // the link is down, or a port is not active (matters for LID-routed packets)
  kNotForHere,  // arrived at a node that does not own the LID, or hops that make no sense
  kLoop,        // more hops than a route can have
  kCable,       // a cable lost it, by the console's command `loss`
};
inline constexpr unsigned kLossCauses = 5;

/// The receiver of each sent MAD, or of the report that it was lost.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// The MAD has arrived at its destination. `at`: the node and the port by which the MAD came;
  /// port 0 of a switch if the MAD began at that switch.
  virtual void arrived(PortAt at, MadPacket& packet) = 0;
  virtual void lost(const MadPacket& packet, LossCause cause) = 0;
};

class MadTransport {
 public:
  virtual ~MadTransport() = default;
  /// Sends a MAD from an adapter's port, or from a switch's port 0.
  virtual void send(PortAt from, MadPacket& packet, Arrivals& to) = 0;
  /// Called after an agent has executed a Set that changed something, so that the transport copies
  /// the change. A transport that reads the agents directly need not.
  virtual void follow(NodeId /*n*/, const SmaChange& /*change*/) {}
  /// A switch was restarted: its tables are as after power on.
  virtual void follow_restart(NodeId /*n*/) {}
  /// Links at this node went down or came up.
  virtual void follow_links(NodeId /*n*/) {}
};

}  // namespace selvedge::sim
