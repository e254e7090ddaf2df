// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Requests of clients that are not answered yet, and when to send them again. The kernel's MAD
// layer does this for a real client; here the emulator must, since libumad2sim passes on neither
// time-out nor retries. A request is repeated a number of times; then it is given up. An answer
// belongs to the request with the same client, class and transaction id; a second answer finds no
// request and is dropped.
//
// There is a queue of timers for each length of time-out, so each queue is sorted by itself. Timers
// of answered requests stay in the queues and are skipped. A request that is answered within the
// sending costs one look-up and no timer.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/emulate/mad_transport.hpp"

namespace selvedge::sim {

using ClientId = std::uint16_t;

/// A time of the emulator's clock, which callers pass in, or a duration.
using Nanoseconds = std::chrono::nanoseconds;

/// How long an answer is waited for, and how often the request is repeated. OpenSM asks the kernel
/// for 200 ms and 3 retries (transaction_timeout, transaction_retries).
struct RetryPolicy {
  std::chrono::milliseconds timeout{200};
  unsigned retries = 3;
};

class Transactions {
 public:
  struct Request {
    ClientId client = 0;
    PortAt from;
    MadPacket packet;  // as the client sent it
    std::uint32_t serial = 0;
    unsigned tries_left = 0;
    Nanoseconds timeout{};
  };

  /// Adds a request; it replaces one with the same client, class and transaction id.
  void add(ClientId client, PortAt from, const MadPacket& packet, const RetryPolicy& policy);
  /// Starts the request's timer. Called after sending, if the answer did not come within it.
  void wait(ClientId client, const Mad& mad, Nanoseconds now);
  /// True if a request waits for this answer; that request is removed.
  bool answer(ClientId client, const Mad& mad);
  /// Drops all requests of a client that has disconnected.
  void forget(ClientId client);

  /// When next_due must be called next.
  std::optional<Nanoseconds> deadline();
  /// A request whose time-out has passed. `again`: it is to be sent again; else it is given up and
  /// removed.
  struct Due {
    Request request;
    bool again;
  };
  std::optional<Due> next_due(Nanoseconds now);
  std::size_t size() const { return slot_of_.size(); }

 private:
  struct Key {
    std::uint64_t transaction;
    ClientId client;
    std::uint8_t management_class;
    friend bool operator==(const Key&, const Key&) = default;
    friend std::size_t hash_value(const Key& k) {
      return (k.transaction ^ k.management_class * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL ^
             k.client;
    }
  };
  struct Timer {
    Nanoseconds due;
    std::uint32_t slot, serial;
  };
  static Key key(ClientId client, const Mad& mad) {
    return {mad.transaction(), client, mad.management_class()};
  }
  bool stale(const Timer& t) const { return !used_[t.slot] || slots_[t.slot].serial != t.serial; }
  void release(std::uint32_t slot);

  boost::unordered_flat_map<Key, std::uint32_t> slot_of_;
  std::vector<Request> slots_;
  std::vector<bool> used_;
  std::vector<std::uint32_t> free_;
  boost::unordered_flat_map<Nanoseconds::rep, std::deque<Timer>> timers_;  // by length of time-out
  std::uint32_t next_serial_ = 1;
};

}  // namespace selvedge::sim
