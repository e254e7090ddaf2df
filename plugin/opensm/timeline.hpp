// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What happened when: the last events of an opensm life, in a ring of fixed size, so that a flood
// of traps costs neither memory nor time. Written by every thread of OpenSM, read by the status
// socket.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

struct Event {
  enum class Kind : std::uint8_t {
    kTrap,  // number, lid of the sender
    kHeavySweepStart,
    kHeavySweepDone,  // discovery is complete
    kTablesBegin,     // our engine was asked
    kTablesComputed,
    kProved,
    kTablesWritten,  // handed to OpenSM, which sends them
    kLftBlock,       // guid, number = block: acknowledged by the switch
    kLftTop,         // guid, number = top
    kRoutingDone,
    kSubnetUp,
    kStateChange,
    // The fast path:
    kFaultLocated,
    kRepairBlock,      // guid, number = block: acknowledged by the switch
    kRepairConfirmed,  // read back, and in OpenSM's tables
  };
  std::int64_t monotonic_us = 0;
  Guid guid = 0;
  std::uint32_t number = 0;
  Lid lid = 0;
  Kind kind = Kind::kTrap;
};

std::string_view name(Event::Kind kind);
std::int64_t monotonic_us();

class Timeline {
 public:
  explicit Timeline(std::size_t capacity) : capacity_(capacity) { ring_.reserve(capacity); }

  /// Another capacity; the newest events that fit are kept.
  void resize(std::size_t capacity);

  void add(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0, Lid lid = 0);
  /// Oldest first.
  std::vector<Event> events() const;
  /// How many there ever were.
  std::uint64_t total() const;

 private:
  mutable std::mutex mutex_;
  std::size_t capacity_ = 0;
  std::vector<Event> ring_;
  std::size_t next_ = 0;  // where the next event goes once the ring is full
  std::uint64_t total_ = 0;
};

}  // namespace selvedge
