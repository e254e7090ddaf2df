// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// UdQueue is one UD queue pair with its buffers, this daemon's end of one path. The buffers are
// memory of the daemon that is registered with the adapter once. Packets are copied into the
// buffers: a copy of 4 KB costs less than registering an application's memory, which may be
// unmapped at any time.
//
// Only the last packet of each flush() is signaled: completions come in order, so its completion
// covers all packets before it. Receive buffers are posted again in batches. A queue pair that
// fails is reset (reset()); its packets in flight are lost, as in the network.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::transport {

/// The adapter writes the GRH before every received packet, or leaves that space unused.
inline constexpr std::size_t kGrhBytes = 40;
inline constexpr unsigned kSendPackets = 256, kReceivePackets = 256, kRepostPackets = 32;
static_assert(2 * protocol::kInFlightPacketsDefault <= kSendPackets,
              "one connection does not fill a path's send queue, even if it uses that path alone");
static_assert(kRepostPackets * 4 <= kReceivePackets, "most receive buffers are posted");
static_assert(kSendPackets < 1u << 16 && kReceivePackets < 1u << 16,
              "slot numbers fit into 16 bits");

/// The id of a work request: its queue pair and slot, and the queue pair's generation, which
/// reset() increments.
struct WorkId {
  std::uint32_t generation = 0;
  std::uint8_t queue = 0;
  std::uint16_t slot = 0;

  std::uint64_t packed() const {
    return std::uint64_t{generation} << 32 | std::uint64_t{queue} << 16 | slot;
  }
  static WorkId of(std::uint64_t number) {
    return {.generation = static_cast<std::uint32_t>(number >> 32),
            .queue = static_cast<std::uint8_t>(number >> 16),
            .slot = static_cast<std::uint16_t>(number)};
  }
};

class UdQueue {
 public:
  struct Shared {  ///< the same for all queue pairs
    ibv_pd* domain = nullptr;
    ibv_cq* sent = nullptr;
    ibv_cq* received = nullptr;
    std::uint8_t port = 0;
    std::uint32_t qkey = 0;
    std::uint32_t lkey = 0;
    std::size_t packet_bytes = 0;  ///< length of the largest packet
  };
  struct Packet {  ///< a packet, whose header and data are at two addresses
    const std::byte *header, *data;
    std::size_t header_bytes, data_bytes;
  };

  /// Bytes of registered memory that a queue pair needs.
  static std::size_t memory_bytes(std::size_t packet_bytes);

  /// index: of the path. memory: memory_bytes() bytes of registered memory, which must outlive the
  /// object. Throws EnvironmentError if the device refuses.
  UdQueue(const Shared& shared, std::uint8_t index, std::byte* memory);
  ~UdQueue();
  UdQueue(const UdQueue&) = delete;
  UdQueue& operator=(const UdQueue&) = delete;

  std::uint32_t number() const { return pair_->qp_num; }

  /// How many packets may be put from one flush() to the next, as of the last flush().
  unsigned room() const { return broken_ ? 0 : kSendPackets - (posted_ - completed_); }
  /// Copies a packet, which the next flush() sends.
  void put(const Packet& packet);
  /// Posts the packets put since the last flush(), in one call. to, number, qkey: address handle,
  /// QPN and Q_Key of the destination. Returns how many packets were posted.
  unsigned flush(ibv_ah* to, std::uint32_t number, std::uint32_t qkey);

  /// Handles the completion of a send. A completion from before the last reset() is ignored.
  void on_sent(const ibv_wc& completion);
  /// The buffer of a received packet: kGrhBytes of GRH, then the packet. Empty if no packet was
  /// received.
  protocol::MutableBytes on_received(const ibv_wc& completion);
  /// To be called when a received packet has been read, so that its buffer may be posted again.
  void release(const ibv_wc& completion);

  bool broken() const { return broken_; }
  void set_broken() { broken_ = true; }
  /// Resets the queue pair. Returns false if the device refuses; the caller must then try again.
  bool reset();

  /// generation() counts resets. posted() and completed() count packets since the last reset,
  /// modulo 2^32. The adapter no longer uses the first completed() ones.
  std::uint32_t generation() const { return generation_; }
  std::uint32_t posted() const { return posted_; }
  std::uint32_t completed() const { return completed_; }

 private:
  bool make_ready();
  bool post_receives();
  std::byte* send_slot(unsigned i) const { return memory_ + i * stride_; }
  std::byte* receive_slot(unsigned i) const { return memory_ + (kSendPackets + i) * stride_; }

  Shared shared_;
  std::uint8_t index_;
  std::byte* memory_;
  std::size_t stride_;
  ibv_qp* pair_ = nullptr;
  bool broken_ = false;
  std::uint32_t generation_ = 1;
  std::uint32_t posted_ = 0, completed_ = 0, put_ = 0;
  std::vector<ibv_sge> send_sges_, receive_sges_;
  std::vector<ibv_send_wr> sends_;
  std::vector<ibv_recv_wr> receives_;
  std::vector<std::uint16_t> free_;  // receive slots that are not posted
};

}  // namespace selvedge::transport
