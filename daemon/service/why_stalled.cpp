// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/why_stalled.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace selvedge::service {

using namespace protocol;

namespace {

std::string ago(TimeNs now, TimeNs then) {
  return fmt::format("{:.3f} s", static_cast<double>(now - std::min(now, then)) / 1e9);
}

const char* in_words(Sender::Waiting::For what) {
  switch (what) {
    case Sender::Waiting::For::kTransmission:
      return "not sent yet";
    case Sender::Waiting::For::kAcknowledgement:
      return "sent, not acknowledged";
    case Sender::Waiting::For::kEarlierPacket:
      return "stored by the peer";
    case Sender::Waiting::For::kInjection:
      return "rejected by the peer, not retransmitted yet";
    case Sender::Waiting::For::kRetransmission:
      return "lost, to be retransmitted";
  }
  return "";
}

void sending(const Connection& c, const Session::Occupancy& occupancy, TimeNs now,
             std::vector<Reason>& reasons) {
  const Sender& s = c.sender();
  const bool silent = s.paths().alive() == 0;
  if (silent)
    reasons.push_back(
        {"all-paths-silent",
         fmt::format("nothing is received over any of {} paths; the peer's last packet "
                     "arrived {} ago; the connection ends after {} s",
                     s.paths().size(), ago(now, c.last_received_ns()), kSilenceNsMax / kSecond)});
  if (s.idle()) {
    if (c.closing())
      reasons.push_back({"closing", "all is acknowledged; the peer has not closed its side yet"});
    else if (occupancy.to_send_bytes == 0)
      reasons.push_back({"nothing-to-send", "all messages of the application are acknowledged"});
    else
      reasons.push_back({"moving", "the application has just written a message"});
    return;
  }
  const Sender::Waiting w = s.waiting();
  const bool about_to_send =
      w.what == Sender::Waiting::For::kTransmission && !w.zero_window && !s.congested();
  const bool moving = !silent && (about_to_send || now < w.since_ns + kMovingNs);
  if (w.zero_window && !moving)
    reasons.push_back(
        {"peer-does-not-read", "the peer advertises a zero window: its application does not read"});
  if (w.no_grant && !moving)
    reasons.push_back(
        {"no-grant", "the peer grants no memory for more packets before some are acknowledged"});
  if (s.congested() && !moving)
    reasons.push_back(
        {"congested", fmt::format("the windows to the peer are full: {} bytes for all its paths "
                                  "and connections",
                                  static_cast<std::uint64_t>(s.rates()->windows()))});
  if (s.injection().state() == InjectionControl::State::kLi) {
    reasons.push_back(
        {"limited-injection",
         fmt::format("state LI: {} rejected packets are not acknowledged, {} more may be sent; "
                     "waits for the acknowledgement of sn {}",
                     s.injection().rejected(), s.injection().credits(), w.sequence)});
    if (w.free_slots == 0)
      reasons.push_back(
          {"peer-memory-full", "the peer's rearrange memory had no free slot at its last report"});
  }
  if (moving) {
    reasons.push_back({"moving", about_to_send
                                     ? fmt::format("sn {} is about to be sent", w.sequence)
                                     : fmt::format("something was acknowledged, or sn {} "
                                                   "sent, {} ago",
                                                   w.sequence, ago(now, w.since_ns))});
    return;
  }
  reasons.push_back(
      {"unacknowledged", fmt::format("sn {}: {}, transmissions: {}; nothing acknowledged for {}",
                                     w.sequence, in_words(w.what), w.tries, ago(now, w.since_ns))});
  if (w.window_full)
    reasons.push_back(
        {"window-full",
         fmt::format("{} packets are unacknowledged, {} of them in flight; no more are "
                     "accepted from the application",
                     static_cast<std::uint32_t>(s.next() - s.acknowledged()), s.in_flight())});
  // The ring counts as full when a message of the maximum length would not fit.
  if (occupancy.tx_bytes - occupancy.to_send_bytes < ring::record_bytes(ring::kMessageBytesMax))
    reasons.push_back({"application-ring-full",
                       fmt::format("{} of {} bytes of the application's ring wait to be sent",
                                   occupancy.to_send_bytes, occupancy.tx_bytes)});
}

void receiving(const Receiver& r, const Session::Occupancy& occupancy, std::size_t payload_bytes,
               std::vector<Reason>& reasons) {
  const bool ring_full = occupancy.blocked || occupancy.rx_bytes - occupancy.to_read_bytes <
                                                  ring::record_bytes(payload_bytes);
  if (occupancy.rx_bytes != 0 && ring_full)
    reasons.push_back({"application-does-not-read",
                       fmt::format("receiving: {} of {} bytes wait in the ring for the application",
                                   occupancy.to_read_bytes, occupancy.rx_bytes)});
  else if (r.stored() != 0)
    reasons.push_back(
        {"missing-packet",
         fmt::format("receiving: {} stored packets wait for sn {}, which has not arrived",
                     r.stored(), r.expected())});
  if (r.stored() != 0 && r.memory_available() == 0)
    reasons.push_back({"memory-full", "receiving: no slot is left for early packets"});
}

}  // namespace

std::vector<Reason> why_stalled(const Connection& c, const Session::Occupancy& occupancy,
                                TimeNs now) {
  std::vector<Reason> reasons;
  if (c.state() == Connection::State::kOpening) {
    reasons.push_back({"opening", "the peer's daemon has not accepted the connection yet"});
    return reasons;
  }
  if (c.state() == Connection::State::kClosed) {
    reasons.push_back({"closing", "the connection is closed"});
    return reasons;
  }
  sending(c, occupancy, now, reasons);
  if (const Receiver* r = c.receiver()) receiving(*r, occupancy, c.payload_bytes(), reasons);
  return reasons;
}

}  // namespace selvedge::service
