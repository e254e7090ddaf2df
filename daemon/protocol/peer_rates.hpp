// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PeerRates limits what a daemon has in flight to one peer, for all connections to it together: a
// window for each path (path_rate.hpp). Connections share it as in a congestion manager (RFC 3124).
// So a thousand connections press no harder than one, a new one begins with what the others know,
// and idle ones need no memory.
//
// Paths with room take turns. So what a path gets follows from its window, and a path that slows is
// left gradually. Turns are by bursts, not by bytes: lost packets are missed when later ones of the
// same path arrive, so every path is to be used soon again. Windows may be less than a packet; of
// such paths each has so many turns fewer (start-time fair queueing, SIGCOMM 1996).
//
// Several workers of a daemon may send to the same peer, each with windows of its own. Each then
// adds the lesser to them the more there are (peer_workers.hpp). Nobody decreases less for it,
// because every worker meets its own delays and losses.
//
// Delay and loss tell of the network, not of a peer that reads its packets late. So no window grows
// beyond what the peer's queue of received packets of that path holds, if it is like our own and
// packets are long. The peer promises no more than that either. But it takes back what was not used
// in time, perhaps because the packets are still in a queue, and first packets need no promise.
//
// All windows together may be less than a packet. Then packets are sent one at a time, so much
// later than a round trip that the mean is right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/protocol/path_delays.hpp"
#include "daemon/protocol/path_lags.hpp"
#include "daemon/protocol/path_rate.hpp"
#include "daemon/protocol/peer_workers.hpp"

namespace selvedge::protocol {

class PeerRates {
 public:
  /// packet_bytes: of the longest packet, its headers included. workers: who else of this daemon
  /// sends to the peer. room_bytes: the most that all windows may be together; 0: no limit.
  PeerRates(unsigned paths, unsigned packet_bytes, TimeNs empty_rtt_ns = kEmptyRttNsDefault,
            PeerWorkers::Entry workers = {}, std::size_t room_bytes = 0);

  unsigned size() const { return static_cast<unsigned>(rates_.size()); }
  const PathRate& operator[](unsigned path) const { return rates_[path].rate; }
  double windows() const { return windows_; }

  /// Whether so many bytes may be sent now over some path.
  bool may_send(TimeNs now, std::uint64_t bytes) const {
    if (in_flight_ == 0) return now >= next_ns_;
    return static_cast<double>(in_flight_ + bytes) <= windows_;
  }
  /// When may_send() becomes true by itself; kNever: only when packets arrive or are lost.
  TimeNs resumes_ns() const { return in_flight_ == 0 ? next_ns_ : kNever; }
  bool has_room(unsigned path, std::uint64_t bytes) const {
    return rates_[path].rate.has_room(bytes);
  }
  /// Bit i: path i has room for so many bytes.
  std::uint32_t with_room(std::uint64_t bytes) const;
  /// How many packets to send at a time over a path. Paths may share a queue, and bursts of the
  /// others would count as delay of one, so where packets queue, all take short turns.
  std::uint32_t burst_packets() const { return burst_packets_; }
  /// The next of these paths (bit i: path i), at least one, for a burst.
  std::uint8_t choose(std::uint32_t among);

  void on_sent(TimeNs now, unsigned path, std::uint64_t bytes);
  void on_delivered(TimeNs now, unsigned path, TimeNs sent_ns, std::uint64_t bytes, bool once) {
    in_flight_ -= bytes;
    if (rates_[path].rate.on_delivered(now, sent_ns, bytes, once)) add_up();
  }
  void on_returned(unsigned path, std::uint64_t bytes) {
    in_flight_ -= bytes;
    rates_[path].rate.on_returned(bytes);
  }
  void on_lost(TimeNs now, unsigned path, TimeNs sent_ns, std::uint64_t bytes);
  /// What a report says about delays and marks; arrived: when the kernel received it, 0 if that is
  /// unknown.
  void on_delays(TimeNs now, TimeNs arrived, const Report& report);

  /// Senders that begin or cease to wait for a turn (SlotPool). How long each waits before it sends
  /// without one: together they send at most a packet each kTurnRetryEachNs.
  void on_waiting(bool begins) { begins ? ++waiting_ : --waiting_; }
  PathLags& lags() { return lags_; }
  TimeNs turn_retry_ns() const {
    return std::clamp(waiting_ * kTurnRetryEachNs, kTurnRetryNs, kTurnRetryNsMax);
  }

 private:
  struct Path {
    PathRate rate;
    double turns = 0;
  };
  void add_up();
  void share_with(unsigned workers);

  std::vector<Path> rates_;
  PeerWorkers::Entry entry_;
  unsigned workers_ = 1;  // as of the last round trip
  std::uint32_t burst_packets_ = kBurstPacketsMax;
  double packet_, windows_ = 0, turn_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint32_t waiting_ = 0;
  PathLags lags_;
  TimeNs next_ns_ = 0;  // with nothing in flight, nothing is sent before
};

}  // namespace selvedge::protocol
