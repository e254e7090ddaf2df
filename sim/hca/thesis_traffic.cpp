// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/thesis_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace selvedge::sim {

ThesisTraffic::ThesisTraffic(const HcaSpec& spec, const Model& model, Traffic& above,
                             std::uint32_t hosts)
    : above_(above),
      payload_bytes_(payload_of(spec, model)),
      header_bytes_(model.header_bytes),
      window_packets_(spec.window_packets),
      timeout_(std::max<Tick>(1, model.time_base.at(spec.timeout_us * 1000))),
      hosts_(hosts) {
  for (HostId h = 0; h < hosts; ++h) hosts_[h].pending = above_.next(h);
}

Message ThesisTraffic::offer(HostId from, Tick now) {
  Host& host = hosts_[from];
  if (!host.acknowledgements.empty()) {
    const Which packet = host.acknowledgements.front();
    host.acknowledgements.pop_front();
    ++figures_.control;
    figures_.control_bytes += kAckBytes + header_bytes_;
    const std::uint32_t flight = flights_.take();
    flights_[flight] = {packet, true};
    return {.at = now, .to = flows_[packet.flow].from, .bytes = kAckBytes, .tag = flight};
  }
  expire(host, now);
  while (!host.again.empty()) {
    const Which packet = host.again.front();
    host.again.pop_front();
    Flow& flow = flows_[packet.flow];
    if (packet.number < flow.kept || flow.copies[packet.number].acknowledged) continue;
    ++figures_.resent_lost;
    figures_.resent_bytes += flow.copies[packet.number].piece.bytes + header_bytes_;
    return send(flow, packet, now);
  }
  hosts_[from].refresh(above_, from, now);
  if (host.pending.at <= now && host.unacknowledged < window_packets_) return send_new(from, now);
  Tick wake = host.timers.empty() ? kNever : host.timers.front().due;
  // A message that is due already waits for room in the window, which an acknowledgement brings.
  if (host.pending.at > now) wake = std::min(wake, host.pending.at);
  return {.at = wake};
}

/// Moves packets whose timers have expired to `again`, and drops timers of no further use.
void ThesisTraffic::expire(Host& host, Tick now) {
  while (!host.timers.empty()) {
    const Timer& timer = host.timers.front();
    const Flow& flow = flows_[timer.packet.flow];
    const bool acknowledged =
        timer.packet.number < flow.kept || flow.copies[timer.packet.number].acknowledged;
    if (!acknowledged) {
      if (timer.due > now) return;
      host.again.push_back(timer.packet);
    }
    host.timers.pop_front();
  }
}

std::uint32_t ThesisTraffic::flow_to(HostId from, HostId to) {
  const auto [found, added] =
      hosts_[from].flow_to.try_emplace(to, static_cast<std::uint32_t>(flows_.size()));
  if (added) {
    flows_.emplace_back();
    flows_.back().from = from;
    flows_.back().to = to;
    by_slots_.add();
  }
  return found->second;
}

/// Sends a packet of `pending`, which is due.
Message ThesisTraffic::send_new(HostId from, Tick now) {
  Host& host = hosts_[from];
  const Message& message = host.pending;
  const std::uint32_t number = flow_to(from, message.to);
  Flow& flow = flows_[number];
  const Which packet{number, flow.next};
  const std::uint32_t rest = message.bytes - host.segmented;
  const auto bytes = static_cast<std::uint16_t>(std::min(rest, payload_bytes_));
  const bool last = bytes == rest;
  flow.copies.extend(flow.kept, flow.next);
  flow.copies[flow.next] = {.piece = {message.at, message.tag, bytes, last}};
  ++flow.next;
  ++undelivered_;
  if (host.unacknowledged++ == 0) host.busy_since = now;
  host.segmented += bytes;
  if (last) {
    host.segmented = 0;
    host.pending = above_.next(from);
  }
  return send(flow, packet, now);
}

Message ThesisTraffic::send(Flow& flow, Which packet, Tick now) {
  const Copy& copy = flow.copies[packet.number];
  hosts_[flow.from].timers.push_back({now + timeout_, packet});
  ++figures_.sent;
  figures_.sent_bytes += copy.piece.bytes + header_bytes_;
  const std::uint32_t flight = flights_.take();
  flights_[flight] = {packet, false};
  return {.at = copy.piece.at, .to = flow.to, .bytes = copy.piece.bytes, .tag = flight};
}

void ThesisTraffic::delivered(const Delivery& packet, std::vector<HostId>& woken) {
  const Flight flight = flights_[packet.tag];
  flights_.give(packet.tag);
  if (flight.acknowledgement)
    acknowledge(flight.packet, packet.delivered);
  else
    receive(flight.packet, packet.delivered, woken);
  woken.push_back(packet.to);
}

void ThesisTraffic::lost(const Delivery& packet, std::vector<HostId>& /*woken*/) {
  flights_.give(packet.tag);  // the source's timer notices
}

/// A data packet has come to its destination.
void ThesisTraffic::receive(const Which& packet, Tick now, std::vector<HostId>& woken) {
  Flow& flow = flows_[packet.flow];
  Host& host = hosts_[flow.to];
  host.acknowledgements.push_back(packet);
  ++figures_.received;
  if (packet.number < flow.expected || flow.copies[packet.number].early) {
    ++figures_.duplicates;
    return;
  }
  if (packet.number > flow.expected) {
    ++figures_.early;
    window_.distance.add(packet.number - flow.expected);
    count_buffered(host, now);
    flow.copies[packet.number].early = true;
    by_slots_.move(flow.buffered, flow.buffered + 1);
    ++flow.buffered;
    ++host.buffered;
    window_.used_slots_max = std::max(window_.used_slots_max, host.buffered);
    window_.connection_slots_max = std::max(window_.connection_slots_max, flow.buffered);
    return;
  }
  deliver(flow, now, woken);
  for (; flow.buffered > 0 && flow.copies[flow.expected].early; deliver(flow, now, woken)) {
    count_buffered(host, now);
    by_slots_.move(flow.buffered, flow.buffered - 1);
    --flow.buffered;
    --host.buffered;
  }
}

/// An acknowledgement has come to the flow's source.
void ThesisTraffic::acknowledge(const Which& packet, Tick now) {
  Flow& flow = flows_[packet.flow];
  if (packet.number < flow.kept || flow.copies[packet.number].acknowledged) return;
  flow.copies[packet.number].acknowledged = true;
  while (flow.kept < flow.next && flow.copies[flow.kept].acknowledged) ++flow.kept;
  Host& host = hosts_[flow.from];
  if (--host.unacknowledged == 0) figures_.busy_ticks += static_cast<double>(now - host.busy_since);
}

/// Delivers the flow's next packet to the application at its destination.
void ThesisTraffic::deliver(Flow& flow, Tick now, std::vector<HostId>& woken) {
  if (flow.expected == flow.next)
    throw std::logic_error(fmt::format("hosts {} to {}: a packet was delivered that was not sent",
                                       flow.from, flow.to));
  const std::uint32_t number = flow.expected++;
  const Piece piece = flow.copies[number].piece;
  --undelivered_;
  const unsigned wire = piece.bytes + header_bytes_;
  for (const HostId host : hand_over(above_, flow.from, flow.to, piece, number, wire, now, woken))
    hosts_[host].poll_again = true;
}

void ThesisTraffic::count_buffered(Host& host, Tick now) {
  figures_.used_slot_ticks += host.buffered * static_cast<double>(now - host.buffered_since);
  host.buffered_since = now;
}

HcaFigures ThesisTraffic::figures(Tick now) const {
  HcaFigures sum = figures_;
  for (const Host& host : hosts_) {
    sum.used_slot_ticks += host.buffered * static_cast<double>(now - host.buffered_since);
    if (host.unacknowledged > 0) sum.busy_ticks += static_cast<double>(now - host.busy_since);
  }
  return sum;
}

void ThesisTraffic::clear_window() {
  window_ = HcaWindow();
  for (const Host& host : hosts_)
    window_.used_slots_max = std::max(window_.used_slots_max, host.buffered);
  for (const Flow& flow : flows_)
    window_.connection_slots_max = std::max(window_.connection_slots_max, flow.buffered);
}

bool ThesisTraffic::idle() const {
  return undelivered_ == 0 &&
         std::ranges::all_of(hosts_, [](const Host& host) { return host.nothing_to_send(); });
}

}  // namespace selvedge::sim
