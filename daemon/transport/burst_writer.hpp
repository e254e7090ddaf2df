// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// BurstWriter is the common base class of the transports. It writes the headers of a burst, and
// seals and opens datagrams if there are keys (protocol/seal.hpp). It injects faults (impair.hpp)
// after sealing, as the network would. A transport implements send_items(), which sends packets
// over one path to one peer.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/protocol/clear.hpp"
#include "daemon/protocol/endpoint.hpp"
#include "daemon/protocol/seal.hpp"
#include "daemon/transport/impair.hpp"

namespace selvedge::transport {

struct TransportCounters {
  std::uint64_t sent_packets = 0, sent_calls = 0, received_packets = 0, received_calls = 0;
  /// Packets that were dropped instead of sent: no room in a queue, or no route to the peer. To the
  /// protocol they are lost packets.
  std::uint64_t unsent = 0;
};

class BurstWriter {
 public:
  // The interface that Endpoint::flush requires.
  void control(const protocol::PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
               protocol::Bytes datagram);
  void data(const protocol::Connection& connection, const protocol::Burst& burst);
  /// true: packets may wait for others to the same peer, until hold(false), which sends
  /// them.
  virtual void hold(bool /*on*/) {}

  void impair(const ImpairConfig& config) { impair_.reconfigure(config); }
  /// Sets what is done with a datagram that was sealed for another worker of this daemon: only that
  /// one may open it, because only its replay windows know the channel. from: as open_handed_over()
  /// takes it. Without such a function they are dropped.
  void on_sealed_for_other(
      std::function<void(unsigned worker, const protocol::PeerAddress& from, protocol::Bytes)> f) {
    on_sealed_for_other_ = std::move(f);
  }
  /// Whether packets are held back (impair.hpp), so that tick() must be called soon.
  bool delaying() const { return impair_.has_delayed(); }
  /// The keys in use; null: nothing is sealed.
  protocol::Seal* seal() { return seal_.get(); }
  const protocol::Seal* seal() const { return seal_.get(); }
  /// The number of sealed datagrams that were received while no key is configured.
  std::uint64_t sealed_without_key() const { return sealed_without_key_; }
  /// The number of datagrams in the clear whose CRC was wrong.
  std::uint64_t corrupt() const { return corrupt_; }

 protected:
  struct Item {
    const std::byte* header;  ///< the header and its CRC, or the start of a sealed datagram
    const std::byte* data;
    std::size_t header_bytes, length;  ///< of header and of data
    bool stays = false;                ///< data is not changed before hold(false)
    std::size_t bytes() const { return header_bytes + length; }
  };

  BurstWriter(const ImpairConfig& config, std::unique_ptr<protocol::Seal> seal,
              const protocol::Shard& shard);
  ~BurstWriter() = default;
  BurstWriter(const BurstWriter&) = delete;
  BurstWriter& operator=(const BurstWriter&) = delete;

  /// Sends `count` packets, at most kItemsMax, or holds them if it may. It must have read their
  /// bytes when it returns, except data that stays.
  virtual void send_items(const protocol::PeerAddress& to, protocol::PeerLayout peer,
                          std::uint8_t path, const Item* items, unsigned count) = 0;
  /// Whether a received datagram was sealed for another worker; it is then done with.
  bool is_for_other(const protocol::PeerAddress& from, protocol::Bytes datagram) {
    if (seal_ == nullptr || shard_.workers == 1 || !protocol::looks_sealed(datagram)) return false;
    const unsigned worker = protocol::sealed_for(datagram, shard_.workers);
    if (worker == shard_.worker) return false;
    if (on_sealed_for_other_) on_sealed_for_other_(worker, from, datagram);
    return true;
  }
  /// The packet in a received datagram: decrypted  if there are keys, otherwise without its CRC (an
  /// announcement has none). If the result is empty, the datagram has been counted and must be
  /// dropped.
  protocol::Bytes unsealed(protocol::MutableBytes datagram, bool announcement = false) {
    if (seal_) return seal_->open(datagram, announcement);
    sealed_without_key_ += protocol::looks_sealed(datagram);
    if (announcement || datagram.empty()) return datagram;
    const protocol::Bytes packet = protocol::open_clear(datagram);
    corrupt_ += packet.empty();
    return packet;
  }
  /// Sends delayed packets (impair.hpp) that are due; `now` serves no other purpose.
  void release_delayed(protocol::TimeNs now);

  /// Twice a burst, because fault injection duplicates packets and sends delayed ones with a burst.
  static constexpr unsigned kItemsMax = 2 * protocol::kBurstPacketsMax;

 private:
  /// A whole datagram as an Item; where it is split does not matter.
  static Item whole(protocol::Bytes datagram) {
    const std::size_t head = std::min<std::size_t>(datagram.size(), protocol::kClearHeadBytes);
    return {datagram.data(), datagram.data() + head, head, datagram.size() - head};
  }
  Item item(const protocol::Connection& connection, const protocol::Burst& burst, unsigned i);
  void send_impaired(const protocol::Connection& connection, const protocol::Burst& burst);

  Impair impair_;
  std::unique_ptr<protocol::Seal> seal_;
  protocol::Shard shard_;
  std::function<void(unsigned, const protocol::PeerAddress&, protocol::Bytes)> on_sealed_for_other_;
  std::uint64_t sealed_without_key_ = 0, corrupt_ = 0;
  std::vector<Impair::Delayed> released_;
  protocol::TimeNs now_ = 0;
  std::vector<std::byte> headers_;
  std::vector<std::byte> sealed_;  // a burst's sealed datagrams, kSealedBytesMax apart
  std::vector<Item> items_;
};

}  // namespace selvedge::transport
