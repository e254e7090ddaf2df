// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Messages with a tag, in parts, of any length. A message that has a tag or is long begins with a
// head (ring/segment.hpp), if the peer can read one. A long message is written as the ring has room
// and read as it comes, so neither end needs memory for all of it:
//
//   application's parts -> records of 64 KiB in the ring -> packets -> records in the peer's ring
//                                                                      -> its application's parts
#include <algorithm>

#include "daemon/client/receiving.hpp"
#include "daemon/client/wait.hpp"

namespace ring = selvedge::ring;
using namespace selvedge::client;

namespace {
/// The daemon frees a record when its last packet is acknowledged, so longer records of a long
/// message would make the sender wait.
constexpr std::size_t kPieceBytes = 64 << 10;
}  // namespace

int selvedge_connection::refusal(std::size_t length, std::uint64_t tag) const {
  if (length > ring::kLengthMax) return SELVEDGE_E_TOO_LONG;
  if ((opened_.features & ring::kHeads) != 0 || (tag == 0 && length <= ring::kMessageBytesMax))
    return 0;
  return opened_.peer.empty() ? SELVEDGE_E_DAEMON_OLD : SELVEDGE_E_PEER_LIBRARY_OLD;
}

std::size_t selvedge_connection::length_max() const {
  return refusal(ring::kLengthMax, 0) == 0 ? std::size_t{ring::kLengthMax} : message_max();
}

bool selvedge_connection::write_more(Send& send, std::size_t record) {
  if (reserved_ != nullptr) return false;  // the application writes there
  if ((opened_.features & ring::kHeads) != 0)
    record = std::min(record, kPieceBytes);
  else
    record = ring::kMessageBytesMax;  // a record is a message
  for (;;) {
    const std::size_t head = send.headed && !send.begun ? ring::kHeadBytes : 0;
    const std::size_t n = std::min(send.parts.bytes - send.written, record - head);
    if (!has_room(head + n)) return false;
    std::byte* to =
        ring::reserve_record(segment_.tx(), segment_.tx_bytes(), tx_tail_, tx_head_seen_, head + n);
    if (head != 0) ring::put_head({send.tag, send.parts.bytes}, to);
    send.parts.gather(send.written, {to + head, n});
    const bool last = send.written + n == send.parts.bytes;
    tx_tail_ = ring::commit_record(
        to, tx_tail_, head + n,
        (send.begun ? 0 : ring::kFirst) | (head != 0 ? ring::kHead : 0) | (last ? ring::kLast : 0));
    send.begun = true;
    send.written += n;
    segment_.control().tx_tail.store(tx_tail_, std::memory_order_release);
    wake_daemon();
    if (last) return true;
  }
}

int selvedge_connection::send(const Parts& parts, std::uint64_t tag, const Deadline& deadline) {
  if (closing_ || reserved_ != nullptr) return SELVEDGE_E_REQUEST;
  if (const int error = refusal(parts.bytes, tag)) return error;
  const bool headed = tag != 0 || parts.bytes > ring::kMessageBytesMax;
  if (sending_ && (sending_->tag != tag || sending_->parts.bytes != parts.bytes))
    return SELVEDGE_E_REQUEST;
  Send send = sending_ ? *sending_ : Send{.parts = parts, .tag = tag, .headed = headed};
  send.parts = parts;
  const std::size_t all = parts.bytes + (headed ? ring::kHeadBytes : 0);
  const bool whole = all <= ring::kMessageBytesMax;
  bool done = false;
  sending_.reset();  // so that write_started() looks at started messages only
  const auto written = [&] {
    if (ended()) return true;
    if (!write_started()) return false;
    // One that fits a record is sent whole or not at all.
    if (whole && !has_room(all + ring::kRecordHeaderBytes * (all / kPieceBytes + 1))) return false;
    return done = write_more(send, kPieceBytes);
  };
  const int error = written() ? 0 : wait(deadline, ring::Waits::kForRoom, written);
  if (!done && error == SELVEDGE_E_TIMEOUT && send.begun) {
    sending_ = send;
    unwritten_ = true;
  }
  if (error != 0) return error;
  return done ? 0 : end_error();
}

int selvedge_connection::receive_more(Receive& receive, const Readable& readable) {
  if (!receive.begun) {
    receive.length = readable.length;
    receive.tag = readable.tag;
    if (readable.length > receive.parts.bytes) return SELVEDGE_E_TOO_LONG;
    receive.begun = true;
  }
  bool ended = false;
  const ssize_t n =
      pass(receive.length - receive.done, readable.end, &ended,
           [&](std::size_t at, Bytes from) { receive.parts.scatter(receive.done + at, from); });
  if (n < 0) return static_cast<int>(n);
  receive.done += static_cast<std::size_t>(n);
  return_all_pieces();
  corrupt_ |= ended ? receive.done != receive.length : n == 0;
  if (corrupt_) return SELVEDGE_E_PROTOCOL;
  return ended ? 1 : 0;
}

ssize_t selvedge_connection::receive(const Parts& parts, std::uint64_t* tag, std::size_t* length,
                                     const Deadline& deadline) {
  if (rx_next_ != rx_head_ || !receives_.empty()) return SELVEDGE_E_REQUEST;
  Receive receive = receiving_.value_or(Receive{});
  if (receive.begun && receive.length > parts.bytes) return SELVEDGE_E_REQUEST;
  receive.parts = parts;
  for (int done = 0; done == 0;) {
    Readable readable;
    done = wait_for(true, deadline, readable);
    if (done == 0) {
      done = receive_more(receive, readable);
      if (length != nullptr) *length = receive.length;
      if (tag != nullptr) *tag = receive.tag;
    }
    receiving_.reset();
    if (done == SELVEDGE_E_TIMEOUT && receive.begun) receiving_ = receive;
    if (done < 0) return done;
  }
  return static_cast<ssize_t>(receive.length);
}

int selvedge_connection::peek(std::uint64_t* tag, std::size_t* length, const Deadline& deadline) {
  if (rx_next_ != rx_head_ || receiving_ || !receives_.empty()) return SELVEDGE_E_REQUEST;
  Readable readable;
  if (const int error = wait_for(true, deadline, readable)) return error;
  if (tag != nullptr) *tag = readable.tag;
  if (length != nullptr) *length = readable.length;
  return 0;
}
