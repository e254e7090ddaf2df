// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Receiving: as messages, as a stream of bytes, or borrowed from the ring. All three consume the
// same records. `rx_next_` is the first record that the application has not got, `rx_offset_` the
// number of its bytes that a stream has read.
//
//      rx_head_              rx_next_                 rx_tail
//   ------+----------------------+-----------------------+------> positions
//         | borrowed by the      | not yet passed to     |
//         | application          | the application       |
#include <algorithm>

#include "daemon/client/wait.hpp"

namespace ring = selvedge::ring;
using selvedge::client::Until;

int selvedge_connection::ended() const {
  if (control().state.load(std::memory_order_relaxed) == ring::State::kPeerClosed)
    return SELVEDGE_E_CLOSED;
  const auto error = static_cast<int>(control().error.load(std::memory_order_relaxed));
  return error == 0 ? SELVEDGE_E_CLOSED : -error;
}

selvedge_connection::Ahead selvedge_connection::look_ahead(bool whole_message) const {
  // Load the state before the tail, so that all data received before the end is seen.
  const ring::State state = control().state.load(std::memory_order_acquire);
  const std::uint64_t tail = control().rx_tail.load(std::memory_order_acquire);
  Ahead ahead;
  ahead.end = rx_next_;
  ahead.over = state == ring::State::kClosed || state == ring::State::kPeerClosed;
  ring::Record record;
  for (std::size_t offset = rx_offset_; !ahead.there; offset = 0) {
    const ring::Found found =
        ring::read(segment_.rx(), segment_.rx_bytes(), ahead.end, tail, record);
    ahead.broken = found == ring::Found::kBroken || offset > record.bytes.size();
    if (found != ring::Found::kRecord || ahead.broken) break;
    ahead.end = record.end;
    ahead.bytes += record.bytes.size() - offset;
    ahead.there = whole_message ? (record.flags & ring::kLast) != 0 : ahead.bytes != 0;
  }
  return ahead;
}

int selvedge_connection::wait_for(bool whole_message, const Until& until, Ahead& ahead) {
  const auto ready = [&] {
    ahead = look_ahead(whole_message);
    return ahead.there || ahead.broken || ahead.over;
  };
  if (!ready())
    if (const int error = wait(until, ready)) return error;
  if (ahead.broken) return SELVEDGE_E_PROTOCOL;
  return ahead.there ? 0 : ended();
}

void selvedge_connection::give_back_all() {
  rx_head_ = rx_next_;
  segment_.control().rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
}

ssize_t selvedge_connection::take(std::byte* to, std::size_t size, std::uint64_t end) {
  std::size_t taken = 0;
  ring::Record record;
  while (rx_next_ != end && taken < size) {
    if (ring::read(segment_.rx(), segment_.rx_bytes(), rx_next_, end, record) !=
            ring::Found::kRecord ||
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
                                     const Until& until) {
  if (rx_next_ != rx_head_) return SELVEDGE_E_REQUEST;
  Ahead message;
  if (const int error = wait_for(true, until, message)) return error;
  if (needed) *needed = message.bytes;
  if (message.bytes > size) return SELVEDGE_E_TOO_LONG;
  // Empty records at the message's end belong to it too.
  const ssize_t taken = take(static_cast<std::byte*>(buffer), message.bytes, message.end);
  if (taken < 0) return taken;
  rx_next_ = message.end;
  rx_offset_ = 0;
  give_back_all();
  return taken;
}

ssize_t selvedge_connection::read(void* buffer, std::size_t size, const Until& until) {
  if (rx_next_ != rx_head_) return SELVEDGE_E_REQUEST;
  if (size == 0) return 0;
  Ahead some;
  if (const int error = wait_for(false, until, some)) return error;
  const std::uint64_t tail = control().rx_tail.load(std::memory_order_acquire);
  const ssize_t taken = take(static_cast<std::byte*>(buffer), size, tail);
  if (taken < 0) return taken;
  give_back_all();
  return taken;
}

int selvedge_connection::borrow(selvedge_piece* piece, const Until& until) {
  ring::Record record;
  ring::Found found = ring::Found::kNothing;
  bool over = false;
  const auto ready = [&] {
    const ring::State state = control().state.load(std::memory_order_acquire);
    over = state == ring::State::kClosed || state == ring::State::kPeerClosed;
    found = ring::read(segment_.rx(), segment_.rx_bytes(), rx_next_,
                       control().rx_tail.load(std::memory_order_acquire), record);
    return found != ring::Found::kNothing || over;
  };
  if (!ready())
    if (const int error = wait(until, ready)) return error;
  if (found == ring::Found::kNothing) return ended();
  if (found == ring::Found::kBroken || rx_offset_ > record.bytes.size()) return SELVEDGE_E_PROTOCOL;
  *piece = {record.bytes.data() + rx_offset_, record.bytes.size() - rx_offset_,
            (record.flags & ring::kLast) != 0};
  rx_next_ = record.end;
  rx_offset_ = 0;
  return 0;
}

int selvedge_connection::give_back(std::size_t pieces) {
  std::uint64_t head = rx_head_;
  ring::Record record;
  for (; pieces != 0; --pieces) {
    if (head == rx_next_) return SELVEDGE_E_REQUEST;  // more than were borrowed
    if (ring::read(segment_.rx(), segment_.rx_bytes(), head, rx_next_, record) !=
        ring::Found::kRecord)
      return SELVEDGE_E_PROTOCOL;
    head = record.end;
  }
  rx_head_ = head;
  segment_.control().rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
  return 0;
}
