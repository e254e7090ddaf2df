// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HCAs that run the daemon's protocol, each with ends of connections to all hosts that it sends to
// or receives from.
//
// A host is asked when its link is free. It takes the messages that are due into the windows of
// their connections; a message waits while its connection's window is full, and with it the later
// ones of its host. Then the connections that have something to send take turns, a burst each: a
// packet, or HcaSpec::burst_packets, which go to the link one after the other.
// Reports and keep-alives are packets too. The protocol's processing takes no time. Connections
// begin open, without a handshake, with their host's first message to the other one.
//
// Every packet that is delivered to an application is compared with the one that was sent: a
// protocol that delivers another one, or one twice, ends the simulation with std::logic_error.
#pragma once

#include <memory>
#include <vector>

#include "sim/hca/adapter.hpp"
#include "sim/hca/flights.hpp"
#include "sim/hca/hca_traffic.hpp"
#include "sim/hca/protocol_clock.hpp"
#include "sim/hca/spec.hpp"

namespace selvedge::sim {

class ProtocolTraffic final : public HcaTraffic {
 public:
  /// As make_hca_traffic(), which has checked `spec`.
  ProtocolTraffic(const HcaSpec& spec, const Model& model, Traffic& above, std::uint32_t hosts,
                  std::uint32_t attached);

  Message offer(HostId from, Tick now) override;
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override;
  void lost(const Delivery& packet, std::vector<HostId>& woken) override;
  void arriving(std::uint32_t tag) override;

  HcaFigures figures(Tick now) const override;
  void clear_window() override;
  std::size_t slot_bytes() const override { return slot_bytes_; }
  std::uint32_t used_slots(HostId host) const override { return adapters_[host]->used; }
  std::uint64_t connections() const { return connections_; }
  /// Every end of a connection. f: void(HostId at, const ConnectionEnd&).
  template <class F>
  void for_each_end(F&& f) const {
    for (HostId at = 0; at < adapters_.size(); ++at)
      for (const auto& end : adapters_[at]->ends) f(at, *end);
  }
  std::uint64_t waiting() const override { return waiting_ + in_bursts_; }
  bool idle() const override;

 private:
  void take_messages(HostId from, Tick now);
  void next_message(HostId from);
  void expect_pending(Adapter& adapter);
  static void fetch_pending(Adapter& adapter);
  ConnectionEnd& end_to(HostId from, HostId to, Tick now);
  ConnectionEnd& make_end(HostId at, HostId peer, std::uint32_t peer_number, protocol::TimeNs now);
  void run_timers(HostId at, protocol::TimeNs now);
  void send_burst(Adapter& adapter, ConnectionEnd& end);
  Message next_of_burst(Adapter& adapter);
  void receive_data(HostId at, ConnectionEnd& end, const DaemonFlight& flight, Tick now,
                    std::vector<HostId>& woken);
  void receive_control(ConnectionEnd& end, protocol::Bytes datagram, Tick now);
  void deliver(HostId at, ConnectionEnd& end, protocol::Bytes payload, Tick now,
               std::vector<HostId>& woken);
  void give_flight(std::uint32_t number);
  void note_state(ConnectionEnd& end, Tick now);
  void check_open(HostId at, const ConnectionEnd& end, Tick now) const;

  std::uint8_t path_of(std::uint8_t path) const { return spec_.paths > 1 ? path : kAnyPath; }

  HcaSpec spec_;
  Traffic& above_;
  TimeBase time_base_;
  ProtocolClock clock_;
  unsigned payload_bytes_;
  unsigned connection_bytes_;  // of rearrange memory
  unsigned header_bytes_;      // of every packet of the network
  std::size_t slot_bytes_;
  std::vector<std::unique_ptr<Adapter>> adapters_;  // per host
  Flights<DaemonFlight> flights_;
  Flights<ControlDatagram> datagrams_;  // of packets without data
  static constexpr std::uint32_t kArriving = 8;
  std::array<const ConnectionEnd*, kArriving> arriving_{};  // of the latest that are on their way
  std::uint32_t next_arriving_ = 0;
  protocol::Burst burst_;
  std::uint64_t most_connections_, connections_ = 0;
  std::uint64_t waiting_ = 0, in_bursts_ = 0, undelivered_ = 0;
  std::uint64_t received_ = 0, early_ = 0, control_ = 0;
  std::uint64_t sent_bytes_ = 0, resent_bytes_ = 0, control_bytes_ = 0;
  double busy_ticks_ = 0, limited_ticks_ = 0;
};

}  // namespace selvedge::sim
