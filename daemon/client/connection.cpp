// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/client/connection.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

using selvedge::client::Descriptor;
using selvedge::client::Until;
namespace ring = selvedge::ring;

namespace selvedge::client {
namespace {
std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
}  // namespace

Until::Until(int timeout_ms)
    : at_ns_(timeout_ms < 0 ? INT64_MAX : now_ns() + std::int64_t{timeout_ms} * 1'000'000) {}

bool Until::passed() const { return at_ns_ != INT64_MAX && now_ns() >= at_ns_; }

int Until::remaining_ms() const {
  if (at_ns_ == INT64_MAX) return -1;
  const std::int64_t left = (at_ns_ - now_ns() + 999'999) / 1'000'000;
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Descriptor& Descriptor::operator=(Descriptor&& o) noexcept {
  std::swap(fd_, o.fd_);
  return *this;
}

}  // namespace selvedge::client

int selvedge_connection::ended() const {
  const auto error = static_cast<int>(control().error.load(std::memory_order_relaxed));
  return error == 0 ? SELVEDGE_E_CLOSED : -error;
}

void selvedge_connection::wake_daemon() {
  // The daemon says that it sleeps, then looks once more; we publish, then look whether it sleeps.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (segment_.control().daemon_waits.load(std::memory_order_relaxed) != 0)
    eventfd_write(wakes_daemon_.get(), 1);
}

template <class Ready>
int selvedge_connection::wait(const Until& until, Ready&& ready) {
  // A daemon that polls answers within microseconds; one that sleeps, or a slow peer, is worth a
  // system call.
  // Yielding matters where daemon and application share a core: the one that spins would keep the
  // other from answering.
  for (int spin = 0; spin < 100; ++spin) {
    if (ready()) return 0;
    sched_yield();
  }
  ring::Control& c = segment_.control();
  for (;;) {
    c.application_waits.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ready()) break;
    if (until.passed()) return SELVEDGE_E_TIMEOUT;
    pollfd fds[2] = {{wakes_us_.get(), POLLIN, 0}, {socket_->get(), POLLRDHUP, 0}};
    poll(fds, 2, until.remaining_ms());
    if (fds[0].revents & POLLIN) {
      eventfd_t count = 0;
      eventfd_read(wakes_us_.get(), &count);
    }
    if (fds[1].revents & (POLLHUP | POLLRDHUP | POLLERR)) {
      if (ready()) break;
      return SELVEDGE_E_NO_DAEMON;
    }
  }
  c.application_waits.store(0, std::memory_order_relaxed);
  return 0;
}

int selvedge_connection::reserve(std::size_t length, void** bytes, const Until& until) {
  if (length > message_max()) return SELVEDGE_E_TOO_LONG;
  ring::Control& c = segment_.control();
  const auto room = [&] {
    reserved_ = ring::place(segment_.tx(), segment_.tx_bytes(), tx_tail_, tx_head_seen_, length);
    if (reserved_ == nullptr) {
      tx_head_seen_ = c.tx_head.load(std::memory_order_acquire);
      reserved_ = ring::place(segment_.tx(), segment_.tx_bytes(), tx_tail_, tx_head_seen_, length);
    }
    return reserved_ != nullptr || c.state.load(std::memory_order_acquire) == ring::State::kClosed;
  };
  if (c.closing.load(std::memory_order_relaxed) != 0) return SELVEDGE_E_REQUEST;
  if (!room())
    if (const int error = wait(until, room)) return error;
  if (c.state.load(std::memory_order_relaxed) == ring::State::kClosed) return ended();
  reserved_length_ = length;
  *bytes = reserved_;
  return 0;
}

int selvedge_connection::commit(std::size_t length) {
  if (reserved_ == nullptr || length > reserved_length_) return SELVEDGE_E_REQUEST;
  tx_tail_ = ring::finish(reserved_, tx_tail_, length, ring::kFirst | ring::kLast);
  reserved_ = nullptr;
  segment_.control().tx_tail.store(tx_tail_, std::memory_order_release);
  wake_daemon();
  return 0;
}

ssize_t selvedge_connection::receive(void* buffer, std::size_t size, std::size_t* needed,
                                     const Until& until) {
  ring::Control& c = segment_.control();
  // A message is there when the record with its end is.
  std::uint64_t scanned = rx_head_;
  std::size_t length = 0;
  bool whole = false, broken = false;
  const auto ready = [&] {
    const ring::State state = c.state.load(std::memory_order_acquire);
    const std::uint64_t tail = c.rx_tail.load(std::memory_order_acquire);
    ring::Record record;
    while (!whole && !broken) {
      const ring::Found found =
          ring::read(segment_.rx(), segment_.rx_bytes(), scanned, tail, record);
      if (found == ring::Found::kNothing) break;
      broken = found == ring::Found::kBroken;
      if (broken) break;
      scanned = record.end;
      length += record.bytes.size();
      whole = (record.flags & ring::kLast) != 0;
    }
    return whole || broken || state == ring::State::kClosed || state == ring::State::kPeerClosed;
  };
  if (!ready())
    if (const int error = wait(until, ready)) return error;
  if (broken) return SELVEDGE_E_PROTOCOL;
  if (!whole)
    return c.state.load(std::memory_order_relaxed) == ring::State::kPeerClosed ? SELVEDGE_E_CLOSED
                                                                               : ended();
  if (needed) *needed = length;
  if (length > size) return SELVEDGE_E_TOO_LONG;
  auto* to = static_cast<std::byte*>(buffer);
  ring::Record record;
  while (rx_head_ != scanned) {
    if (ring::read(segment_.rx(), segment_.rx_bytes(), rx_head_, scanned, record) !=
        ring::Found::kRecord)
      return SELVEDGE_E_PROTOCOL;
    if (!record.bytes.empty()) std::memcpy(to, record.bytes.data(), record.bytes.size());
    to += record.bytes.size();
    rx_head_ = record.end;
  }
  c.rx_head.store(rx_head_, std::memory_order_release);
  wake_daemon();
  return static_cast<ssize_t>(length);
}

int selvedge_connection::close(const Until& until) {
  ring::Control& c = segment_.control();
  c.closing.store(1, std::memory_order_release);
  wake_daemon();
  const auto ready = [&] {
    return c.tx_head.load(std::memory_order_acquire) == tx_tail_ ||
           c.state.load(std::memory_order_acquire) == ring::State::kClosed;
  };
  const int error = wait(until, ready);
  const bool all = c.tx_head.load(std::memory_order_acquire) == tx_tail_;
  c.closing.store(2, std::memory_order_release);  // nor will anything be read
  wake_daemon();
  if (error != 0) return error;
  return all ? 0 : ended();
}
