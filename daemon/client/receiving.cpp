// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An application receives whole messages or a stream of bytes, or borrows pieces of the ring. All
// three consume the same records of the ring (ring/segment.hpp). `rx_next_` is the position of the
// first record that was not passed to the application, or only in part. `rx_offset_` is how many of
// that record's bytes have been passed, by selvedge_read.
//
//      rx_head_              rx_next_                 rx_tail
//   ------+----------------------+-----------------------+------> positions
//         | borrowed by the      | not yet passed to     |
//         | application          | the application       |
#include "daemon/client/receiving.hpp"

#include <algorithm>

#include "daemon/client/wait.hpp"

namespace ring = selvedge::ring;
using selvedge::client::Deadline;

int selvedge_connection::end_error() const {
  if (control().state.load(std::memory_order_relaxed) == ring::State::kPeerClosed)
    return SELVEDGE_E_CLOSED;
  const auto error = static_cast<int>(control().error.load(std::memory_order_relaxed));
  return error == 0 ? SELVEDGE_E_CLOSED : -error;
}

selvedge_connection::Readable selvedge_connection::find_readable(bool whole_message) const {
  // The state is loaded before the tail, so that all data received before the connection ended is
  // seen.
  const ring::State state = control().state.load(std::memory_order_acquire);
  const std::uint64_t tail = control().rx_tail.load(std::memory_order_acquire);
  Readable readable;
  readable.end = rx_next_;
  readable.closed = state == ring::State::kClosed || state == ring::State::kPeerClosed;
  readable.corrupt = corrupt_;
  Message message = message_;
  bool last = false, as_it_comes = false;
  ring::Record record;
  for (std::size_t offset = rx_offset_; !readable.ready && !readable.corrupt; offset = 0) {
    const ring::ReadResult found =
        ring::read_record(segment_.rx(), segment_.rx_bytes(), readable.end, tail, record);
    if (found == ring::ReadResult::kEmpty) break;
    readable.corrupt = found == ring::ReadResult::kCorrupt ||
                       (offset == 0 && !begin_record(record, message, offset)) ||
                       offset > record.bytes.size();
    if (readable.corrupt) break;
    readable.end = record.end;
    readable.bytes += record.bytes.size() - offset;
    last = (record.flags & ring::kLast) != 0;
    // A message that may not fit the ring is received as it comes.
    as_it_comes = message.headed && message.head.length > ring::kHeadedWholeMax;
    readable.ready =
        whole_message ? last || (as_it_comes && readable.bytes != 0) : readable.bytes != 0;
    if (!whole_message && last) message = {};
  }
  if (!whole_message || !readable.ready) return readable;
  readable.tag = message.head.tag;
  readable.length = readable.bytes;
  if (!message.headed) return readable;
  readable.length = message.head.length - message.passed;
  readable.corrupt =
      readable.bytes > readable.length || (last && readable.bytes != readable.length);
  if (as_it_comes) readable.end = tail;
  return readable;
}

bool selvedge_connection::begin_record(const ring::Record& record, Message& message,
                                       std::size_t& offset) const {
  const bool headed = (record.flags & ring::kHead) != 0;
  if (message.begun) return !headed;
  message = {.begun = true, .headed = headed, .head = {}};
  if (!headed) return true;
  offset = ring::kHeadBytes;
  return (opened_.features & ring::kHeads) != 0 && ring::read_head(record.bytes, message.head);
}

int selvedge_connection::wait_for(bool whole_message, const Deadline& deadline,
                                  Readable& readable) {
  int found = 0;
  const auto ready = [&] {
    found = look_for(whole_message, readable);
    return found != SELVEDGE_E_TIMEOUT;
  };
  if (!ready())
    if (const int error = wait(deadline, ring::Waits::kForAnything, ready)) return error;
  return found;
}

int selvedge_connection::look_for(bool whole_message, Readable& readable) {
  readable = find_readable(whole_message);
  corrupt_ |= readable.corrupt;
  if (corrupt_) return SELVEDGE_E_PROTOCOL;
  if (readable.ready) return 0;
  if (!readable.closed) return SELVEDGE_E_TIMEOUT;
  // The peer has ended in the middle of a message.
  const int error = end_error();
  return whole_message && message_.begun && error == SELVEDGE_E_CLOSED ? SELVEDGE_E_PEER_RESET
                                                                       : error;
}

void selvedge_connection::return_all_pieces() {
  rx_head_ = rx_next_;
  segment_.control().rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
}

ssize_t selvedge_connection::read(void* buffer, std::size_t size, const Deadline& deadline) {
  if (rx_next_ != rx_head_ || receiving_ || !receives_.empty()) return SELVEDGE_E_REQUEST;
  if (size == 0) return 0;
  Readable some;
  if (const int error = wait_for(false, deadline, some)) return error;
  const std::uint64_t tail = control().rx_tail.load(std::memory_order_acquire);
  auto* to = static_cast<std::byte*>(buffer);
  const ssize_t taken =
      pass(size, tail, nullptr, [&](std::size_t at, selvedge::client::Bytes from) {
        std::memcpy(to + at, from.data(), from.size());
      });
  if (taken < 0) return taken;
  return_all_pieces();
  return taken;
}

int selvedge_connection::borrow(selvedge_piece* piece, const Deadline& deadline) {
  if (receiving_ || !receives_.empty()) return SELVEDGE_E_REQUEST;
  ring::Record record;
  ring::ReadResult found = ring::ReadResult::kEmpty;
  bool closed = false;
  const auto ready = [&] {
    const ring::State state = control().state.load(std::memory_order_acquire);
    closed = state == ring::State::kClosed || state == ring::State::kPeerClosed;
    found = ring::read_record(segment_.rx(), segment_.rx_bytes(), rx_next_,
                              control().rx_tail.load(std::memory_order_acquire), record);
    return found != ring::ReadResult::kEmpty || closed;
  };
  if (!ready())
    if (const int error = wait(deadline, ring::Waits::kForAnything, ready)) return error;
  if (found == ring::ReadResult::kEmpty) return end_error();
  corrupt_ |= found == ring::ReadResult::kCorrupt ||
              (rx_offset_ == 0 && !begin_record(record, message_, rx_offset_)) ||
              rx_offset_ > record.bytes.size();
  if (corrupt_) return SELVEDGE_E_PROTOCOL;
  message_.passed += record.bytes.size() - rx_offset_;
  *piece = {record.bytes.data() + rx_offset_, record.bytes.size() - rx_offset_,
            (record.flags & ring::kLast) != 0};
  if (piece->ends_message != 0) message_ = {};
  rx_next_ = record.end;
  rx_offset_ = 0;
  return 0;
}

int selvedge_connection::return_pieces(std::size_t pieces) {
  std::uint64_t head = rx_head_;
  ring::Record record;
  for (; pieces != 0; --pieces) {
    if (head == rx_next_) return SELVEDGE_E_REQUEST;  // more than were borrowed
    if (ring::read_record(segment_.rx(), segment_.rx_bytes(), head, rx_next_, record) !=
        ring::ReadResult::kRecord)
      return SELVEDGE_E_PROTOCOL;
    head = record.end;
  }
  rx_head_ = head;
  segment_.control().rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
  return 0;
}
