// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What every transport does with the packets that go out, whatever carries them: writes the headers
// of a burst, and does the faults on purpose (impair.hpp). What is left for a transport is
// send_items(): packets as a header and a payload, all over one path to one peer.
#pragma once

#include <vector>

#include "daemon/protocol/endpoint.hpp"
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

 protected:
  struct Item {
    const std::byte* header;  ///< kHeaderBytes
    const std::byte* data;
    std::size_t length;  ///< of data, in bytes
  };

  explicit BurstWriter(const ImpairConfig& config);
  ~BurstWriter() = default;
  BurstWriter(const BurstWriter&) = delete;
  BurstWriter& operator=(const BurstWriter&) = delete;

  /// The bytes are read before it returns; count is at most kItemsMax.
  virtual void send_items(const protocol::PeerAddress& to, unsigned peer_paths, std::uint8_t path,
                          const Item* items, unsigned count) = 0;
  /// Sends what was held back on purpose and is due; the time is for that alone.
  void release_held(protocol::TimeNs now);

  /// Twice a burst, for doubled packets and those released with it.
  static constexpr unsigned kItemsMax = 2 * protocol::kBurstPacketsMax;

 private:
  void impaired(const protocol::Connection& connection, const protocol::Burst& burst);

  Impair impair_;
  std::vector<Impair::Held> released_;
  protocol::TimeNs now_ = 0;
  std::vector<std::byte> headers_;
  std::vector<Item> items_;
};

}  // namespace selvedge::transport
