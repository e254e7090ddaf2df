// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Requests of clients that are not answered yet, and when to send them again: what the kernel's MAD
// layer does for a real client, since libumad2sim passes on neither time-out nor retries. A request
// is repeated a number of times; then it is given up. An answer belongs to the request with its
// client, class and transaction; a second one finds nothing and is dropped.
//
// Deadlines lie in one queue for each waiting time, so the queues are sorted by themselves. Entries
// of answered requests stay in them and are skipped: a request that is answered at once costs one
// look-up and no timer.
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

/// Times of the emulator's clock, which are handed in, and durations.
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

  /// A request; one with the same client, class and transaction is replaced.
  void add(ClientId client, PortAt from, const MadPacket& packet, const RetryPolicy& policy);
  /// Called if the answer did not come within the sending: its timer starts.
  void wait(ClientId client, const Mad& mad, Nanoseconds now);
  /// True if a request waits for this answer, which it then no longer does.
  bool answer(ClientId client, const Mad& mad);
  /// Drops all of a client that has left.
  void forget(ClientId client);

  /// When next_due must be called next.
  std::optional<Nanoseconds> deadline();
  /// A request whose time is up, and whether it is to be sent again (else it is given up and
  /// removed). Nothing: none is due.
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
  boost::unordered_flat_map<Nanoseconds::rep, std::deque<Timer>> timers_;  // by waiting time
  std::uint32_t next_serial_ = 1;
};

}  // namespace selvedge::sim
