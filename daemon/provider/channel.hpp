// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A connection of libselvedge between two endpoints. The first message of the connecting side says
// who is at both ends; then both sides may send over it.
#pragma once

#include <vector>

#include "daemon/client/selvedge.h"
#include "daemon/provider/matching.hpp"
#include "daemon/provider/message.hpp"

namespace selvedge::provider {

class Domain;
class Endpoint;
struct Send;

class Channel : private MessageReader::Sink {
 public:
  /// `endpoint` and `peer` are null on the accepting side, until the hello has arrived.
  Channel(Domain& domain, selvedge_connection* connection, Endpoint* endpoint, Peer* peer)
      : domain_(domain), connection_(connection), endpoint_(endpoint), peer_(peer) {}
  /// Closes the connection without waiting; what has been sent is still delivered.
  ~Channel() override { selvedge_close(connection_, 0); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Reads what has arrived, up to kPiecesMax packets. Returns whether there was any, or the
  /// connection has ended.
  bool receive();
  /// Writes as much of a message as the ring has room for; returns whether it is written whole.
  bool write(Send& send);
  void write_hello(const Hello& hello);

  /// 0 while it is open; then an error of libselvedge.
  int error() const { return error_; }
  Endpoint* endpoint() const { return endpoint_; }
  Peer* peer() const { return peer_; }
  /// The message of which a part has arrived, or null.
  const ArrivalPtr& arrival() const { return arrival_; }
  /// The bytes written so far, and those of them that the peer's daemon is known to have, as
  /// counted by selvedge_position and selvedge_delivered.
  std::uint64_t position() const { return selvedge_position(connection_); }
  std::uint64_t delivered() const { return selvedge_delivered(connection_); }

 private:
  bool begin(const Header& header) override;
  void append(std::span<const std::byte> bytes) override;
  bool end() override;

  Domain& domain_;
  selvedge_connection* connection_;
  Endpoint* endpoint_;
  Peer* peer_;
  int error_ = 0;
  MessageReader reader_;
  Header header_;       // of the message that is being read
  ArrivalPtr arrival_;  // its payload; null for kHello, kProcessed
  std::vector<std::byte> hello_;
};

}  // namespace selvedge::provider
