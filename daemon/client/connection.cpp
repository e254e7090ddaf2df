// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/client/connection.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "daemon/client/wait.hpp"

using selvedge::client::Deadline;
using selvedge::client::Descriptor;
namespace ring = selvedge::ring;

namespace {
/// selvedge_write waits until the ring has room for this many bytes, or for all if there are fewer.
constexpr std::size_t kStreamBytesMin = 4'096;
}  // namespace

namespace selvedge::client {
namespace {
std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
}  // namespace

std::int64_t Deadline::at_ns() const {
  if (at_ns_ == 0) at_ns_ = now_ns() + std::int64_t{timeout_ms_} * 1'000'000;
  return at_ns_;
}

bool Deadline::expired() const { return timeout_ms_ >= 0 && now_ns() >= at_ns(); }

int Deadline::remaining_ms() const {
  if (timeout_ms_ < 0) return -1;
  const std::int64_t left = (at_ns() - now_ns() + 999'999) / 1'000'000;
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

void selvedge_connection::wake_daemon() {
  // This fence pairs with the daemon's, which stores daemon_waits and then reads tx_tail. Here
  // tx_tail has been stored, and daemon_waits is read after the fence. So one process sees the
  // other's store.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (segment_.control().daemon_waits.load(std::memory_order_relaxed) != 0)
    eventfd_write(daemon_eventfd_.get(), 1);
}

void selvedge_connection::arm(ring::Waits what) {
  eventfd_t count = 0;
  eventfd_read(application_eventfd_.get(), &count);
  // Whoever has asked for anything before, and has not been woken since, still waits for that.
  auto& waits = segment_.control().application_waits;
  if (waits.load(std::memory_order_relaxed) != ring::Waits::kForAnything)
    waits.store(what, std::memory_order_relaxed);
  // This fence pairs with that of Session::publish(), which stores rx_tail and then reads
  // application_waits. Here application_waits has been stored, and the caller reads rx_tail after
  // the fence. So one process sees the other's store.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool selvedge_connection::daemon_is_gone(int timeout_ms) {
  pollfd fds[2] = {{application_eventfd_.get(), POLLIN, 0}, {socket_->get(), POLLRDHUP, 0}};
  ::poll(fds, 2, timeout_ms);
  return (fds[1].revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

int selvedge_connection::descriptor() {
  if (epoll_.get() >= 0) return epoll_.get();
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  epoll_event changes{}, end{};
  changes.events = EPOLLIN;
  end.events = EPOLLRDHUP;
  if (epoll.get() < 0 ||
      epoll_ctl(epoll.get(), EPOLL_CTL_ADD, application_eventfd_.get(), &changes) != 0 ||
      epoll_ctl(epoll.get(), EPOLL_CTL_ADD, socket_->get(), &end) != 0)
    return SELVEDGE_E_SYSTEM;
  epoll_ = std::move(epoll);
  return epoll_.get();
}

int selvedge_connection::poll(int wanted) {
  int now = 0;
  if ((wanted & SELVEDGE_ROOM) != 0) {
    // What the daemon has written is often far from this core. Both lines are fetched at a time,
    // and the second is needed if a message follows.
    __builtin_prefetch(&control().tx_head);
    __builtin_prefetch(&control().state);
  }
  for (const auto& [bit, whole] : {std::pair{SELVEDGE_MESSAGE, true}, {SELVEDGE_BYTES, false}}) {
    if ((wanted & bit) == 0) continue;
    const Readable readable = find_readable(whole);
    if (readable.ready || readable.corrupt || readable.closed) now |= bit;
  }
  if ((wanted & SELVEDGE_ROOM) != 0 && ((write_started() && has_room(message_max())) || ended()))
    now |= SELVEDGE_ROOM;
  if ((wanted & SELVEDGE_COMPLETION) != 0) {
    progress();
    if (!completions_.empty() || ended()) now |= SELVEDGE_COMPLETION;
  }
  return now;
}

int selvedge_connection::ready(int wanted) {
  if (const int now = poll(wanted)) return now;
  arm(wanted == SELVEDGE_ROOM ? ring::Waits::kForRoom : ring::Waits::kForAnything);
  if (const int now = poll(wanted)) return now;
  return daemon_is_gone(0) ? wanted : 0;
}

bool selvedge_connection::has_room(std::size_t length) {
  const auto fits = [&] {
    return ring::reserve_record(segment_.tx(), segment_.tx_bytes(), tx_tail_, tx_head_seen_,
                                length);
  };
  if (fits() != nullptr) return true;
  tx_head_seen_ = control().tx_head.load(std::memory_order_acquire);
  return fits() != nullptr;
}

int selvedge_connection::reserve(std::size_t length, void** bytes, const Deadline& deadline) {
  if (length > message_max()) return SELVEDGE_E_TOO_LONG;
  ring::Control& c = segment_.control();
  if (closing_ || (unwritten_ && sending_)) return SELVEDGE_E_REQUEST;
  reserved_ = nullptr;
  const auto room = [&] { return (write_started() && has_room(length)) || ended(); };
  if (!room())
    if (const int error = wait(deadline, ring::Waits::kForRoom, room)) return error;
  if (c.state.load(std::memory_order_relaxed) == ring::State::kClosed) return end_error();
  reserved_ =
      ring::reserve_record(segment_.tx(), segment_.tx_bytes(), tx_tail_, tx_head_seen_, length);
  reserved_length_ = length;
  *bytes = reserved_;
  return 0;
}

int selvedge_connection::commit(std::size_t length) {
  if (reserved_ == nullptr || length > reserved_length_) return SELVEDGE_E_REQUEST;
  tx_tail_ = ring::commit_record(reserved_, tx_tail_, length, ring::kFirst | ring::kLast);
  reserved_ = nullptr;
  segment_.control().tx_tail.store(tx_tail_, std::memory_order_release);
  wake_daemon();
  return 0;
}

ssize_t selvedge_connection::write(const void* bytes, std::size_t length,
                                   const Deadline& deadline) {
  if (length == 0) return 0;
  // The call waits for room, because a nearly full ring would lead to many short messages, each of
  // them a packet.
  void* to = nullptr;
  if (const int error = reserve(std::min(length, kStreamBytesMin), &to, deadline)) return error;
  tx_head_seen_ = control().tx_head.load(std::memory_order_acquire);
  const std::size_t free = segment_.tx_bytes() - (tx_tail_ - tx_head_seen_);
  reserved_length_ = std::min({length, message_max(), free / 8 * 8 - ring::kRecordHeaderBytes});
  std::memcpy(to, bytes, reserved_length_);
  const std::size_t written = reserved_length_;
  if (const int error = commit(written)) return error;
  return static_cast<ssize_t>(written);
}

int selvedge_connection::close(const Deadline& deadline) {
  ring::Control& c = segment_.control();
  reserved_ = nullptr;
  const auto written = [&] { return write_started() || ended(); };
  const int unwritten = sending_ || written() ? 0 : wait(deadline, ring::Waits::kForRoom, written);
  const bool cut = sending_ || !sends_.empty();  // in the middle of a message, or before it
  closing_ = true;
  c.closing.store(1, std::memory_order_release);
  wake_daemon();
  const auto ready = [&] {
    return c.tx_head.load(std::memory_order_acquire) == tx_tail_ ||
           c.state.load(std::memory_order_acquire) == ring::State::kClosed;
  };
  const int error = unwritten != 0 ? unwritten : wait(deadline, ring::Waits::kForAnything, ready);
  const bool all = c.tx_head.load(std::memory_order_acquire) == tx_tail_;
  c.closing.store(2, std::memory_order_release);  // 2: nothing will be read either
  wake_daemon();
  if (error != 0) return error;
  if (cut) return ended() ? end_error() : SELVEDGE_E_RESET;
  return all ? 0 : end_error();
}
