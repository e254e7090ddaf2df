// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A connection of libselvedge between two endpoints. The first message of the connecting side says
// who is at both ends; then both sides may send over it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daemon/client/selvedge.h"
#include "daemon/provider/matching.hpp"
#include "daemon/provider/message.hpp"
#include "daemon/provider/unexpected.hpp"

namespace selvedge::provider {

class Domain;
class Endpoint;
struct Send;

class Channel : private MessageReader::Sink {
 public:
  /// `endpoint` and `peer` are null on the accepting side, until the hello has arrived.
  Channel(Domain& domain, selvedge_connection* connection, Endpoint* endpoint, Peer* peer);
  /// Closes the connection without waiting; what has been sent is still delivered.
  ~Channel() override;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Reads what has arrived, up to kPiecesMax packets. Returns whether there was any, or the
  /// connection has ended.
  bool receive();
  /// Writes as much of a message as the ring has room for; returns whether it is written whole. If
  /// the peer has granted no credit for it, it becomes an offer, and only its header is written.
  bool write(Send& send);
  /// Keeps an offer that has been written until the peer fetches it.
  void keep(Send send);
  /// Writes what the provider itself has to say, and payloads that were fetched. Returns whether
  /// anything moved.
  bool flush();
  /// Whether something waits for flush().
  bool has_pending() const { return !pending_.empty(); }
  /// Asks for `wanted` bytes of an offer. The rest is never sent.
  void fetch(const Arrival& offer, std::uint64_t wanted);
  void write_hello(const Hello& hello);

  /// 0 while it is open; then an error of libselvedge.
  int error() const { return error_; }
  Endpoint* endpoint() const { return endpoint_; }
  Peer* peer() const { return peer_; }
  /// What the peer has begun to send, or offered, and will not send any more. To be called when the
  /// channel has ended.
  std::vector<ArrivalPtr> take_unfinished();
  /// Likewise the messages whose payloads have not been written whole.
  std::vector<Send> take_offers();
  /// The bytes written so far, and those of them that the peer's daemon is known to have, as
  /// counted by selvedge_position and selvedge_delivered.
  std::uint64_t position() const { return selvedge_position(connection_); }
  std::uint64_t delivered() const { return selvedge_delivered(connection_); }

 private:
  bool begin(const Header& header) override;
  void append(std::span<const std::byte> bytes) override;
  bool end() override;
  bool begin_message(const Header& header);
  bool begin_payload(const Header& header);
  bool on_fetch(const Header& header);
  bool on_hello();
  void say(Kind kind, std::uint64_t tag = 0, std::uint64_t data = 0);
  /// Writes records until the message is whole, or there is no room.
  bool write_records(Send& send, std::size_t bytes);

  Domain& domain_;
  selvedge_connection* connection_;
  Endpoint* endpoint_;
  Peer* peer_;
  int error_ = 0;
  MessageReader reader_;
  Header header_;       // of the message that is being read
  ArrivalPtr arrival_;  // its payload; null for what is no message
  std::vector<std::byte> hello_;
  std::shared_ptr<Promise> promise_;  // null until the hello has arrived

  // What the peer has offered and not sent, by number, with how much of it was asked for.
  struct Offer {
    ArrivalPtr arrival;
    std::uint64_t wanted = 0;
    bool fetched = false;
  };
  std::unordered_map<std::uint64_t, Offer> offers_;
  std::uint64_t offers_seen_ = 0;

  Credit credit_;
  std::unordered_map<std::uint64_t, Send> offered_;  // by this end
  std::uint64_t offers_made_ = 0;
  bool in_message_ = false;  // a message of write() is in the ring in part
  // In the order in which it is written. Of payloads: `written` of header.length bytes.
  std::deque<Send> pending_;
};

}  // namespace selvedge::provider
