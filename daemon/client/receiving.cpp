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
  ring::Record record;
  for (std::size_t offset = rx_offset_; !readable.ready; offset = 0) {
    const ring::ReadResult found =
        ring::read_record(segment_.rx(), segment_.rx_bytes(), readable.end, tail, record);
    readable.corrupt = found == ring::ReadResult::kCorrupt || offset > record.bytes.size();
    if (found != ring::ReadResult::kRecord || readable.corrupt) break;
    readable.end = record.end;
    readable.bytes += record.bytes.size() - offset;
    readable.ready = whole_message ? (record.flags & ring::kLast) != 0 : readable.bytes != 0;
  }
  return readable;
}

int selvedge_connection::wait_for(bool whole_message, const Deadline& deadline,
                                  Readable& readable) {
  const auto ready = [&] {
    readable = find_readable(whole_message);
    return readable.ready || readable.corrupt || readable.closed;
  };
  if (!ready())
    if (const int error = wait(deadline, ready)) return error;
  if (readable.corrupt) return SELVEDGE_E_PROTOCOL;
  return readable.ready ? 0 : end_error();
}

void selvedge_connection::return_all_pieces() {
  rx_head_ = rx_next_;
  segment_.control().rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
}

ssize_t selvedge_connection::copy_out(std::byte* to, std::size_t size, std::uint64_t end) {
  std::size_t taken = 0;
  ring::Record record;
  while (rx_next_ != end && taken < size) {
    if (ring::read_record(segment_.rx(), segment_.rx_bytes(), rx_next_, end, record) !=
            ring::ReadResult::kRecord ||
        rx_offset_ > record.bytes.size())
      return SELVEDGE_E_PROTOCOL;
    const std::size_t n = std::min(record.bytes.size() - rx_offset_, size - taken);
    if (n != 0) std::memcpy(to + taken, record.bytes.data() + rx_offset_, n);
    taken += n;
    rx_offset_ += n;
    if (rx_offset_ != record.bytes.size()) break;
    rx_next_ = record.end;
    rx_offset_ = 0;
  }
  return static_cast<ssize_t>(taken);
}

ssize_t selvedge_connection::receive(void* buffer, std::size_t size, std::size_t* needed,
                                     const Deadline& deadline) {
  if (rx_next_ != rx_head_) return SELVEDGE_E_REQUEST;
  Readable message;
  if (const int error = wait_for(true, deadline, message)) return error;
  if (needed) *needed = message.bytes;
  if (message.bytes > size) return SELVEDGE_E_TOO_LONG;
  // Empty records at the message's end belong to the message too, so they are consumed with it.
  const ssize_t taken = copy_out(static_cast<std::byte*>(buffer), message.bytes, message.end);
  if (taken < 0) return taken;
  rx_next_ = message.end;
  rx_offset_ = 0;
  return_all_pieces();
  return taken;
}

ssize_t selvedge_connection::read(void* buffer, std::size_t size, const Deadline& deadline) {
  if (rx_next_ != rx_head_) return SELVEDGE_E_REQUEST;
  if (size == 0) return 0;
  Readable some;
  if (const int error = wait_for(false, deadline, some)) return error;
  const std::uint64_t tail = control().rx_tail.load(std::memory_order_acquire);
  const ssize_t taken = copy_out(static_cast<std::byte*>(buffer), size, tail);
  if (taken < 0) return taken;
  return_all_pieces();
  return taken;
}

int selvedge_connection::borrow(selvedge_piece* piece, const Deadline& deadline) {
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
    if (const int error = wait(deadline, ready)) return error;
  if (found == ring::ReadResult::kEmpty) return end_error();
  if (found == ring::ReadResult::kCorrupt || rx_offset_ > record.bytes.size())
    return SELVEDGE_E_PROTOCOL;
  *piece = {record.bytes.data() + rx_offset_, record.bytes.size() - rx_offset_,
            (record.flags & ring::kLast) != 0};
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
