// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/protocol_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/error.hpp"
#include "sim/hca/room_for_connections.hpp"

namespace selvedge::sim {
namespace {

using protocol::Connection;
using protocol::TimeNs;

protocol::InjectionMode injection_of(HcaProtocol protocol) {
  switch (protocol) {
    case HcaProtocol::kLi:
      return protocol::InjectionMode::kLi;
    case HcaProtocol::kLw:
      return protocol::InjectionMode::kLw;
    case HcaProtocol::kCredits:
      return protocol::InjectionMode::kCredits;
    case HcaProtocol::kNone:
    case HcaProtocol::kOff:
    case HcaProtocol::kThesis:
      break;
  }
  return protocol::InjectionMode::kNone;
}

/// Differs from pair to pair of hosts.
std::uint32_t mix(HostId from, HostId to) {
  return (from * 0x9e37'79b9u) ^ (to * 0x85eb'ca6bu + 0x5bd1u);
}

}  // namespace

const std::byte* identity_of(HostId from, HostId to, std::uint32_t number) {
  static const std::array<std::byte, kIdentities + protocol::kPayloadBytesMax> zeros{};
  return zeros.data() + (number + mix(from, to)) % kIdentities;
}

ProtocolTraffic::ProtocolTraffic(const HcaSpec& spec, const Model& model, Traffic& above,
                                 std::uint32_t hosts, std::uint32_t attached)
    : spec_(spec),
      above_(above),
      time_base_(model.time_base),
      clock_(model.time_base),
      header_bytes_(model.header_bytes),
      most_connections_(connections_that_fit()) {
  payload_bytes_ = payload_of(spec, model);
  connection_bytes_ = memory_of_connection(spec, attached);
  adapters_.reserve(hosts);
  for (HostId h = 0; h < hosts; ++h) {
    adapters_.push_back(std::make_unique<Adapter>(spec.memory_bytes, payload_bytes_));
    next_message(h);
  }
  slot_bytes_ = adapters_.empty() ? 0 : adapters_.front()->pool.slot_bytes();
}

Message ProtocolTraffic::offer(HostId from, Tick now) {
  Adapter& adapter = *adapters_[from];
  const TimeNs ns = clock_.ns(now);
  if (adapter.pending.at <= now) above_.prefetch(from);
  fetch_pending(adapter);
  take_messages(from, now);
  run_timers(from, ns);
  adapter.pool.serve([&](std::uint32_t end) { adapter.list(*adapter.ends[end]); });
  if (adapter.burst_sent != adapter.burst.size()) return next_of_burst(adapter);
  while (!adapter.ready.empty()) {
    ConnectionEnd& end = *adapter.ready.front();
    if (end.connection.deadline() <= ns) {  // it may always be ready
      end.connection.on_timer(ns);
      note_state(end, now);
    }
    const std::uint32_t datagram = datagrams_.take();
    const Connection::Control control =
        end.connection.next_control(ns, true, datagrams_[datagram].data());
    if (control.size != 0) {
      const std::uint32_t flight = flights_.take();
      flights_[flight].to = end.other;
      flights_[flight].datagram = datagram;
      flights_[flight].control_bytes = static_cast<std::uint32_t>(control.size);
      ++control_;
      control_bytes_ += control.size + protocol::kCrcBytes + header_bytes_;
      return {.at = now,
              .to = end.peer,
              .bytes = static_cast<std::uint32_t>(control.size) + protocol::kCrcBytes,
              .tag = flight,
              .path = path_of(control.path)};
    }
    datagrams_.give(datagram);
    adapter.ready.pop_front();
    const bool sends = end.connection.next_burst(ns, burst_);
    if (sends && end.connection.sender().has_unsent()) {
      adapter.ready.push_back(&end);
    } else {
      end.listed = false;
      check_open(from, end, now);
      adapter.set_timer(end);
    }
    if (sends) {
      send_burst(adapter, end);
      return next_of_burst(adapter);
    }
  }
  Tick wake = clock_.tick(adapter.deadlines.next());
  // A message that is due already waits for room in its window, which a delivery brings.
  if (adapter.pending.at > now) wake = std::min(wake, adapter.pending.at);
  return {.at = std::max(wake, now + 1)};
}

/// The messages that are due go to their connections, as long as their windows have room.
void ProtocolTraffic::take_messages(HostId from, Tick now) {
  Adapter& adapter = *adapters_[from];
  for (;;) {
    if (adapter.refresh(above_, from, now)) expect_pending(adapter);
    const Message& message = adapter.pending;
    if (message.at > now) return;
    ConnectionEnd& end =
        adapter.pending_end != nullptr ? *adapter.pending_end : end_to(from, message.to, now);
    for (bool last = false; !last;) {
      const std::uint32_t rest = message.bytes - adapter.segmented;
      const auto bytes = static_cast<std::uint16_t>(std::min(rest, payload_bytes_));
      last = bytes == rest;
      const auto flags =
          static_cast<std::uint8_t>((adapter.segmented == 0 ? protocol::kFirstOfMessage : 0) |
                                    (last ? protocol::kLastOfMessage : 0));
      if (!end.connection.sender().push(identity_of(from, message.to, end.pushed), bytes, flags))
        return;
      end.pieces.extend(end.connection.sender().acknowledged() - end.first, end.pushed);
      end.pieces[end.pushed++] = {message.at, message.tag, bytes, last};
      ++waiting_;
      ++undelivered_;
      note_state(end, now);
      adapter.segmented += bytes;
      adapter.list(end);
    }
    adapter.segmented = 0;
    next_message(from);
  }
}

void ProtocolTraffic::next_message(HostId from) {
  Adapter& adapter = *adapters_[from];
  adapter.pending = above_.next(from);
  expect_pending(adapter);
}

/// Finds the end that the next message goes to, and prefetches it.
void ProtocolTraffic::expect_pending(Adapter& adapter) {
  adapter.pending_end = nullptr;
  adapter.pending_fetched = true;
  if (adapter.pending.at == kNever) return;
  const auto known = adapter.end_to.find(adapter.pending.to);
  if (known == adapter.end_to.end()) return;
  adapter.pending_end = known->second;
  adapter.pending_fetched = false;
  known->second->prefetch();
}

void ProtocolTraffic::fetch_pending(Adapter& adapter) {
  if (adapter.pending_fetched) return;
  adapter.pending_fetched = true;
  adapter.pending_end->connection.prefetch_parts();
}

/// What an end points to is known only when the end itself has come: it is prefetched when the next
/// packets arrive.
void ProtocolTraffic::arriving(std::uint32_t tag) {
  const auto back = [&](std::uint32_t n) -> const ConnectionEnd*& {
    return arriving_[(next_arriving_ - n) % kArriving];
  };
  if (const ConnectionEnd* end = back(kArriving / 2)) {
    end->connection.prefetch_parts();
    end->other->prefetch_sent();
  }
  if (const ConnectionEnd* end = back(kArriving))
    end->other->pieces.prefetch(end->other->delivered);
  const ConnectionEnd* const to = flights_[tag].to;
  to->prefetch();
  back(kArriving) = to;
  ++next_arriving_;
}

ConnectionEnd& ProtocolTraffic::end_to(HostId from, HostId to, Tick now) {
  Adapter& adapter = *adapters_[from];
  if (const auto known = adapter.end_to.find(to); known != adapter.end_to.end())
    return *known->second;
  if (connections_ == most_connections_)
    throw InputError(
        fmt::format("more than {} connections do not fit half of the memory", most_connections_),
        "[hca] protocol",
        fmt::format("simulate at most {} hosts that all send to each other, or a pattern with "
                    "fewer partners",
                    hosts_all_connected(most_connections_)));
  ++connections_;
  const auto here = static_cast<std::uint32_t>(adapter.ends.size());
  const auto there =
      static_cast<std::uint32_t>(adapters_[to]->ends.size()) + (to == from ? 1u : 0u);
  const TimeNs ns = clock_.ns(now);
  ConnectionEnd& end = make_end(from, to, there, ns);
  ConnectionEnd& other = make_end(to, from, here, ns);
  end.other = &other;
  other.other = &end;
  return end;
}

ConnectionEnd& ProtocolTraffic::make_end(HostId at, HostId peer, std::uint32_t peer_number,
                                         TimeNs now) {
  Adapter& adapter = *adapters_[at];
  const auto number = static_cast<std::uint32_t>(adapter.ends.size());
  Connection::Setup setup;
  setup.id = number;
  setup.own.connection = number;
  setup.own.first = mix(at, peer);
  setup.own.payload_bytes = static_cast<std::uint16_t>(payload_bytes_);
  setup.own.paths = static_cast<std::uint8_t>(spec_.paths);
  if (spec_.protocol == HcaProtocol::kCredits) setup.own.features = protocol::kAsksForMore;
  setup.window_packets = spec_.window_packets;
  setup.memory_slots = static_cast<std::uint32_t>(std::min<std::size_t>(
      connection_bytes_ / adapter.pool.slot_bytes(), protocol::kGrantSlotsMax));
  setup.policy = spec_.memory;
  setup.sender.window_packets = spec_.window_packets;
  // The paper's senders have no limit but LI and LW; credits are the daemon's.
  setup.sender.in_flight_packets = spec_.in_flight_packets.value_or(
      spec_.protocol == HcaProtocol::kCredits
          ? std::min(spec_.window_packets, protocol::kInFlightPacketsDefault)
          : spec_.window_packets);
  setup.sender.burst_packets = spec_.burst_packets;
  setup.sender.injection = injection_of(spec_.protocol);
  setup.sender.congestion = protocol::Congestion::kOff;  // links have credits
  setup.sender.paths.paths = spec_.paths;
  setup.sender.paths.overtaking = spec_.overtaking;
  protocol::Handshake other;
  other.connection = peer_number;
  other.first = mix(peer, at);
  other.payload_bytes = setup.own.payload_bytes;
  other.paths = setup.own.paths;
  other.features = setup.own.features;
  auto end = std::make_unique<ConnectionEnd>(adapter.pool, std::move(setup), other, now);
  end->number = number;
  end->peer = peer;
  end->first = mix(at, peer);
  // The first datagram of an accepted connection completes the handshake, which is not simulated.
  std::array<std::byte, protocol::kControlBytesMax> accept;
  end->connection.next_control(now, true, accept.data());
  adapter.ends.push_back(std::move(end));
  adapter.end_to.emplace(peer, adapter.ends.back().get());
  by_slots_.add();
  return *adapter.ends.back();
}

void ProtocolTraffic::run_timers(HostId at, TimeNs now) {
  Adapter& adapter = *adapters_[at];
  if (adapter.deadlines.next() > now) return;
  adapter.deadlines.take(now, [&](std::uint32_t number) {
    ConnectionEnd& end = *adapter.ends[number];
    if (end.timer = end.connection.deadline(); end.timer > now) return end.timer;
    end.timer = protocol::kNever;
    end.connection.on_timer(now);
    adapter.list(end);  // its next deadline is set when it has nothing to send
    return protocol::kNever;
  });
}

/// The packets of burst_ go to the link one after the other.
void ProtocolTraffic::send_burst(Adapter& adapter, ConnectionEnd& end) {
  adapter.burst.clear();
  adapter.burst_sent = 0;
  for (std::uint32_t i = 0; i < burst_.count; ++i) {
    const protocol::Outgoing& packet = burst_.packets[i];
    const std::uint32_t number = packet.sequence - end.first;
    const unsigned wire = packet.length + kProtocolBytes + header_bytes_;
    sent_bytes_ += wire;
    if (number == end.sent) {
      ++end.sent;
      --waiting_;
    } else {
      resent_bytes_ += wire;
    }
    const std::uint32_t tag = flights_.take();
    DaemonFlight& flight = flights_[tag];
    flight.header = end.connection.data_header(packet, burst_.path);
    flight.payload = packet.data;
    flight.control_bytes = 0;
    flight.to = end.other;
    adapter.burst.push_back({.at = end.pieces[number].at,
                             .to = end.peer,
                             .bytes = packet.length + kProtocolBytes,
                             .tag = tag,
                             .path = path_of(burst_.path)});
  }
  in_bursts_ += burst_.count;
}

Message ProtocolTraffic::next_of_burst(Adapter& adapter) {
  --in_bursts_;
  return adapter.burst[adapter.burst_sent++];
}

void ProtocolTraffic::delivered(const Delivery& packet, std::vector<HostId>& woken) {
  Adapter& adapter = *adapters_[packet.to];
  const DaemonFlight& flight = flights_[packet.tag];
  ConnectionEnd& end = *flight.to;
  if (flight.control_bytes == 0)
    receive_data(packet.to, end, flight, packet.delivered, woken);
  else
    receive_control(end, {datagrams_[flight.datagram].data(), flight.control_bytes},
                    packet.delivered);
  check_open(packet.to, end, packet.delivered);
  note_state(end, packet.delivered);
  adapter.list(end);
  give_flight(packet.tag);
  woken.push_back(packet.to);
}

void ProtocolTraffic::lost(const Delivery& packet, std::vector<HostId>& /*woken*/) {
  give_flight(packet.tag);  // its sender has to notice
}

void ProtocolTraffic::give_flight(std::uint32_t number) {
  if (flights_[number].control_bytes != 0) datagrams_.give(flights_[number].datagram);
  flights_.give(number);
}

void ProtocolTraffic::receive_data(HostId at, ConnectionEnd& end, const DaemonFlight& flight,
                                   Tick now, std::vector<HostId>& woken) {
  if (flight.header.connection != end.number)
    throw std::logic_error("the protocol sent a packet to another connection");
  ++received_;
  const std::int32_t ahead =
      protocol::distance(end.connection.receiver()->expected(), flight.header.sequence);
  if (ahead > 0) {
    ++early_;
    window_.distance.add(ahead);
  }
  const std::uint32_t held_before = end.connection.receiver()->memory_held();
  end.connection.on_data(clock_.ns(now), flight.header,
                         protocol::Bytes{flight.payload, flight.header.length},
                         [&](protocol::Bytes payload, std::uint8_t) {
                           deliver(at, end, payload, now, woken);
                           return true;
                         });
  const std::uint32_t held = end.connection.receiver()->memory_held();
  if (held == held_before) return;
  by_slots_.move(held_before, held);
  window_.connection_slots_max = std::max(window_.connection_slots_max, held);
  Adapter& adapter = *adapters_[at];
  adapter.used_slot_ticks += adapter.used * static_cast<double>(now - adapter.used_since);
  adapter.used_since = now;
  adapter.used = adapter.pool.used();
  window_.used_slots_max = std::max(window_.used_slots_max, adapter.used);
}

void ProtocolTraffic::receive_control(ConnectionEnd& end, protocol::Bytes datagram, Tick now) {
  const TimeNs ns = clock_.ns(now);
  protocol::Header header;
  if (protocol::decode(datagram, header) != protocol::Decoded::kGood)
    throw std::logic_error("the protocol sent a datagram that it cannot read");
  if (header.connection != end.number)
    throw std::logic_error("the protocol sent a datagram to another connection");
  Connection& connection = end.connection;
  const protocol::Bytes payload = datagram.subspan(protocol::kHeaderBytes);
  protocol::Report report;
  switch (header.kind) {
    case protocol::Kind::kReport:
      if (!protocol::decode(payload, report))
        throw std::logic_error("the protocol sent a report that it cannot read");
      connection.on_report(ns, header, report);
      break;
    case protocol::Kind::kKeepalive:
      connection.on_keepalive(ns, header);
      break;
    case protocol::Kind::kReset:
      connection.on_reset(static_cast<protocol::Error>(payload[0]), false);
      break;
    default:
      throw std::logic_error("the protocol sent a datagram of the handshake");
  }
}

/// The protocol delivers a packet to the application at `at`: it must be the next one that its peer
/// has sent.
void ProtocolTraffic::deliver(HostId at, ConnectionEnd& end, protocol::Bytes payload, Tick now,
                              std::vector<HostId>& woken) {
  ConnectionEnd& from = *end.other;
  const std::uint32_t number = from.delivered;
  if (number == from.pushed || payload.data() != identity_of(end.peer, at, number) ||
      payload.size() != from.pieces[number].bytes)
    throw std::logic_error(
        fmt::format("the protocol delivered another packet than number {} from host {} to {}",
                    number, end.peer, at));
  const Piece piece = from.pieces[number];
  ++from.delivered;
  --undelivered_;
  const unsigned wire = piece.bytes + kProtocolBytes + header_bytes_;
  for (const HostId host : hand_over(above_, end.peer, at, piece, number, wire, now, woken))
    adapters_[host]->poll_again = true;
}

/// Counts the time in the end's state, which what just happened may have changed.
void ProtocolTraffic::note_state(ConnectionEnd& end, Tick now) {
  const protocol::Sender& sender = end.connection.sender();
  const bool busy = !sender.idle();
  const bool limited = busy && spec_.protocol != HcaProtocol::kNone &&
                       sender.injection().state() == protocol::InjectionControl::State::kLi;
  if (busy == end.busy && limited == end.limited) return;
  const auto passed = static_cast<double>(now - end.state_since);
  if (end.busy) busy_ticks_ += passed;
  if (end.limited) limited_ticks_ += passed;
  end.busy = busy;
  end.limited = limited;
  end.state_since = now;
}

void ProtocolTraffic::check_open(HostId at, const ConnectionEnd& end, Tick now) const {
  if (end.connection.state() == Connection::State::kOpen) return;
  throw InputError(
      fmt::format("the connection of hosts {} and {} ended at {:.0f} us: {}", at, end.peer,
                  time_base_.ns(now) / 1000, protocol::explain(end.connection.error())),
      "[hca] protocol", "keep every host connected, or simulate less time without a connection");
}

HcaFigures ProtocolTraffic::figures(Tick now) const {
  HcaFigures sum{.control = control_,
                 .received = received_,
                 .early = early_,
                 .sent_bytes = sent_bytes_,
                 .resent_bytes = resent_bytes_,
                 .control_bytes = control_bytes_,
                 .busy_ticks = busy_ticks_,
                 .limited_ticks = limited_ticks_};
  for (const auto& adapter : adapters_) {
    sum.used_slot_ticks +=
        adapter->used_slot_ticks + adapter->used * static_cast<double>(now - adapter->used_since);
    for (const auto& end : adapter->ends) {
      const protocol::Sender::Counters& sender = end->connection.sender().counters();
      const protocol::Receiver::Counters& receiver = end->connection.receiver()->counters();
      sum.sent += sender.sent;
      sum.resent_lost += sender.retransmitted_lost;
      sum.resent_rejected += sender.retransmitted_rejected;
      sum.duplicates += receiver.duplicates;
      sum.rejected += receiver.rejected + receiver.evicted;
      const auto passed = static_cast<double>(now - end->state_since);
      if (end->busy) sum.busy_ticks += passed;
      if (end->limited) sum.limited_ticks += passed;
    }
  }
  return sum;
}

void ProtocolTraffic::clear_window() {
  window_ = HcaWindow();
  for (const auto& adapter : adapters_) {
    window_.used_slots_max = std::max(window_.used_slots_max, adapter->used);
    for (const auto& end : adapter->ends)
      window_.connection_slots_max =
          std::max(window_.connection_slots_max, end->connection.receiver()->memory_held());
  }
}

bool ProtocolTraffic::idle() const {
  return undelivered_ == 0 && std::ranges::all_of(adapters_, [](const auto& adapter) {
           return adapter->nothing_to_send();
         });
}

}  // namespace selvedge::sim
