// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The end-to-end flow control of Montañana 2008 §7.2.2, and what it leaves open by decision 0100.
// A host keeps each packet until its acknowledgement has come, for at most HcaSpec::window_packets
// packets to all hosts together. If none comes in HcaSpec::timeout_us from a transmission, the
// packet is sent again, as often as it takes. Each data packet is acknowledged, duplicates too, by
// a packet with kAckBytes of payload. Early packets wait in a reorder buffer without a
// limit, and applications receive each flow (the packets of two hosts in one direction) in order.
//
// When a host's link is free, acknowledgements go first, then retransmissions, then new packets, in
// the order of the application's messages: one that finds the window full holds up the later ones.
//
// A flow that delivers another packet than the next one ends the simulation with std::logic_error.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <vector>

#include "daemon/protocol/growing_ring.hpp"
#include "sim/hca/application.hpp"
#include "sim/hca/flights.hpp"
#include "sim/hca/hca_traffic.hpp"
#include "sim/hca/piece.hpp"

namespace selvedge::sim {

/// Montañana 2008 §7.2.4: control packets are as long as data packets, 58 bytes with the header.
inline constexpr unsigned kAckBytes = 32;

class ThesisTraffic final : public HcaTraffic {
 public:
  /// As make_hca_traffic(), which has checked `spec`.
  ThesisTraffic(const HcaSpec& spec, const Model& model, Traffic& above, std::uint32_t hosts);

  Message offer(HostId from, Tick now) override;
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override;
  void lost(const Delivery& packet, std::vector<HostId>& woken) override;

  HcaFigures figures(Tick now) const override;
  void clear_window() override;
  std::size_t slot_bytes() const override { return payload_bytes_; }
  std::uint32_t used_slots(HostId host) const override { return hosts_[host].buffered; }
  std::uint64_t waiting() const override { return 0; }  // they stay with the application
  bool idle() const override;

 private:
  struct Copy {  // of a packet; of the flow's source until it is acknowledged
    Piece piece;
    bool acknowledged = false;
    bool early = false;  // of the destination: in its reorder buffer
  };
  struct Flow {
    HostId from = kNoHost, to = kNoHost;
    // Numbers of packets: the first whose copy is kept, the first not delivered, the next new one.
    std::uint32_t kept = 0, expected = 0, next = 0;
    protocol::GrowingRing<Copy> copies;  // [kept, next)
    std::uint32_t buffered = 0;          // early ones in the destination's reorder buffer
  };
  struct Which {  // a packet
    std::uint32_t flow = 0, number = 0;
  };
  struct Timer {
    Tick due = 0;
    Which packet;
  };
  struct Host : Application {
    boost::unordered_flat_map<HostId, std::uint32_t> flow_to;
    std::deque<Which> acknowledgements;  // to be sent
    std::deque<Which> again;             // timers have expired
    std::deque<Timer> timers;            // `due` ascends
    std::uint32_t unacknowledged = 0;    // packets
    Tick busy_since = 0;
    std::uint32_t buffered = 0;  // packets in its reorder buffer, since buffered_since
    Tick buffered_since = 0;
  };
  struct Flight {
    Which packet;
    bool acknowledgement = false;
  };

  void expire(Host& host, Tick now);
  std::uint32_t flow_to(HostId from, HostId to);
  Message send(Flow& flow, Which packet, Tick now);
  Message send_new(HostId from, Tick now);
  void receive(const Which& packet, Tick now, std::vector<HostId>& woken);
  void acknowledge(const Which& packet, Tick now);
  void deliver(Flow& flow, Tick now, std::vector<HostId>& woken);
  void count_buffered(Host& host, Tick now);

  Traffic& above_;
  unsigned payload_bytes_, header_bytes_, window_packets_;
  Tick timeout_;
  std::vector<Host> hosts_;
  std::deque<Flow> flows_;
  Flights<Flight> flights_;
  std::uint64_t undelivered_ = 0;
  HcaFigures figures_;
};

}  // namespace selvedge::sim
