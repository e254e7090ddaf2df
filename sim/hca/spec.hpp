// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/hca: HCAs that run the daemon's own protocol (daemon/protocol) over a simulated network, so
// that packets which the network reorders or loses are delivered to the applications in order,
// once. Reading order: spec.hpp (what is chosen), protocol_clock.hpp, flights.hpp (packets under
// way), hca_traffic.hpp (the interface), adapter.hpp (one HCA), protocol_traffic.hpp (all of them,
// as the network's Traffic). thesis_traffic.hpp has another protocol, that of Montañana 2008.
#pragma once

#include <cstdint>
#include <optional>

#include "daemon/protocol/injection.hpp"
#include "daemon/protocol/path_set.hpp"
#include "daemon/protocol/slot_pool.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

/// [hca] protocol. kOff: packets are delivered as they arrive. kThesis: the flow control of
/// Montañana 2008 §7.2.2 (thesis_traffic.hpp). The others are the daemon's protocol with one of its
/// modes of injection (daemon/protocol/injection.hpp).
enum class HcaProtocol : std::uint8_t { kOff, kNone, kLi, kLw, kCredits, kThesis };

/// The longest window of kThesis.
inline constexpr unsigned kThesisWindowMax = 65'536;

/// The section [hca] of an experiment.
struct HcaSpec {
  HcaProtocol protocol = HcaProtocol::kOff;
  protocol::MemoryPolicy memory = protocol::MemoryPolicy::kDynamic;
  unsigned memory_bytes = 4 << 20;  // rearrange memory of an HCA
  /// The most that a connection may hold; with static memory what it owns. Without a value: all;
  /// with static memory an equal share for each other host.
  std::optional<unsigned> memory_bytes_per_connection = {};
  unsigned window_packets = 64;  // of a connection, a power of two; kThesis: of a host, any number
  /// The most packets of a connection in flight: sent and not known to have arrived. Without a
  /// value as many as the window has; kCredits: at most what the daemon has as its default.
  std::optional<unsigned> in_flight_packets = {};
  unsigned payload_bytes = 0;  // the longest payload of a packet; 0: all that the MTU holds
  /// Paths of a connection. 1: [model] paths chooses the LID of each packet; n > 1: path i is the
  /// destination's LID i.
  unsigned paths = 1;
  unsigned burst_packets = 1;  // of a connection over one path, one after the other
  protocol::Overtaking overtaking = protocol::Overtaking::kMeasured;

  double timeout_us = 131.072;  // kThesis: of a packet, from each transmission (decision 0100)

  bool on() const { return protocol != HcaProtocol::kOff; }
};

/// What a data packet of the daemon's protocol has before its payload: the header and the CRC
/// (clear.hpp).
inline constexpr unsigned kProtocolBytes = protocol::kHeaderBytes + protocol::kCrcBytes;

/// Throws InputError if the values do not fit together, the model, or `hosts` attached hosts.
void check(const HcaSpec& spec, const Model& model, std::uint32_t hosts);

/// HcaSpec::memory_bytes_per_connection, or what stands in its place.
unsigned memory_of_connection(const HcaSpec& spec, std::uint32_t hosts);

/// Whether a connection's rearrange memory holds a packet of the longest payload. Else each such
/// packet that comes early is rejected.
bool holds_a_packet(const HcaSpec& spec, const Model& model, std::uint32_t hosts);

/// The longest payload of a packet.
unsigned payload_of(const HcaSpec& spec, const Model& model);

/// kProtocolBytes, or 0: the thesis' packets have their sequence numbers in InfiniBand's headers.
unsigned protocol_bytes(const HcaSpec& spec);

/// The model as the traffic above the protocol sees it: its packets hold payload_of() bytes, and
/// have the protocol's header too. So packets_of() and the load count what is sent.
Model model_above(const HcaSpec& spec, const Model& model);

}  // namespace selvedge::sim
