// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What every transport does with packets, whatever carries them: writes the headers of a burst,
// seals what goes out and opens what comes if there are keys (protocol/seal.hpp), and does the
// faults on purpose (impair.hpp), to sealed packets as the network would. What is left for a
// transport is send_items(): packets in two pieces, all over one path to one peer.
#pragma once

#include <memory>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/protocol/seal.hpp"
#include "daemon/transport/impair.hpp"

namespace selvedge::transport {

struct TransportCounters {
  std::uint64_t sent_packets = 0, sent_calls = 0, received_packets = 0, received_calls = 0;
  /// There was no room, or no way: lost, as on the network.
  std::uint64_t not_sent = 0;
};

class BurstWriter {
 public:
  // What Endpoint::flush wants.
  void control(const protocol::PeerAddress& to, unsigned peer_paths, std::uint8_t path,
               protocol::Bytes datagram);
  void data(const protocol::Connection& connection, const protocol::Burst& burst);

  void impair(const ImpairConfig& config) { impair_.change(config); }
  /// Null: nothing is sealed.
  protocol::Seal* seal() { return seal_.get(); }
  const protocol::Seal* seal() const { return seal_.get(); }
  /// Sealed datagrams that came to us who have no key.
  std::uint64_t sealed_unread() const { return sealed_unread_; }

 protected:
  struct Item {
    const std::byte* header;  ///< kHeaderBytes: the header, or the beginning of what is sealed
    const std::byte* data;
    std::size_t length;  ///< of data, in bytes
  };

  BurstWriter(const ImpairConfig& config, std::unique_ptr<protocol::Seal> seal);
  ~BurstWriter() = default;
  BurstWriter(const BurstWriter&) = delete;
  BurstWriter& operator=(const BurstWriter&) = delete;

  /// The bytes are read before it returns; count is at most kItemsMax.
  virtual void send_items(const protocol::PeerAddress& to, unsigned peer_paths, std::uint8_t path,
                          const Item* items, unsigned count) = 0;
  /// What a datagram that came holds; empty: nothing for us, and counted.
  protocol::Bytes opened(protocol::MutableBytes datagram, bool introduction = false) {
    if (seal_) return seal_->open(datagram, introduction);
    sealed_unread_ += protocol::looks_sealed(datagram);
    return datagram;
  }
  /// Sends what was held back on purpose and is due; the time is for that alone.
  void release_held(protocol::TimeNs now);

  /// Twice a burst, for doubled packets and those released with it.
  static constexpr unsigned kItemsMax = 2 * protocol::kBurstPacketsMax;

 private:
  Item item(const protocol::Connection& connection, const protocol::Burst& burst, unsigned i);
  void impaired(const protocol::Connection& connection, const protocol::Burst& burst);

  Impair impair_;
  std::unique_ptr<protocol::Seal> seal_;
  std::uint64_t sealed_unread_ = 0;
  std::vector<Impair::Held> released_;
  protocol::TimeNs now_ = 0;
  std::vector<std::byte> headers_;
  std::vector<std::byte> sealed_;  // a burst's datagrams, kSealedBytesMax apart
  std::vector<Item> items_;
};

}  // namespace selvedge::transport
