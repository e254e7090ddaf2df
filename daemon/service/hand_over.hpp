// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HandOver is a bounded ring without locks, in which a worker passes packets to another that owns
// their connection: one thread pushes, one takes. Most packets come to the right worker by
// themselves (transport/steering.hpp, verbs_team.hpp). These are packets that were read as one with
// another's, sealed or not, and opened handshakes, which are sealed for worker 0. A full ring
// drops, as a network does, and senders repeat.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

#include "daemon/protocol/connection.hpp"

namespace selvedge::service {

class HandOver {
 public:
  static constexpr std::uint32_t kPackets = 256;

  /// Copies a packet into the ring; false: the ring is full. Allocates only for packets
  /// longer than all before in their place.
  bool push(const protocol::PeerAddress& from, const protocol::Seen& seen, protocol::Bytes bytes) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kPackets) return false;
    Packet& p = packets_[tail % kPackets];
    p.from = from;
    p.seen = seen;
    p.bytes.assign(bytes.begin(), bytes.end());
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  /// Takes all packets. f: void(PeerAddress&, const Seen&, MutableBytes). Returns their number.
  template <class F>
  std::uint32_t take(F&& f) {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    const std::uint32_t tail = tail_.load(std::memory_order_acquire);
    for (std::uint32_t i = head; i != tail; ++i) {
      Packet& p = packets_[i % kPackets];
      f(p.from, p.seen, protocol::MutableBytes{p.bytes});
      head_.store(i + 1, std::memory_order_release);
    }
    return tail - head;
  }

 private:
  struct Packet {
    protocol::PeerAddress from;
    protocol::Seen seen;
    std::vector<std::byte> bytes;
  };

  // Each on a cache line of its own, because two threads write them.
  alignas(64) std::atomic<std::uint32_t> head_ = 0;
  alignas(64) std::atomic<std::uint32_t> tail_ = 0;
  alignas(64) std::array<Packet, kPackets> packets_;
};

}  // namespace selvedge::service
