// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/session.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "daemon/ring/control.hpp"

namespace selvedge::service {

using namespace protocol;

static_assert(ring::kFirst == kFirstOfMessage && ring::kLast == kLastOfMessage &&
              ring::kHead == kHeadOfMessage && ring::kHeads == kHeads &&
              ring::kHeadBytes == kMessageHeadBytes);

Session::Session(ConnectionId id, int client) : id_(id), client_(client) {}

std::unique_ptr<Session> Session::make(ConnectionId id, int client, std::size_t ring_bytes) {
  std::unique_ptr<Session> s(new Session(id, client));
  s->segment_ = ring::Segment::make(ring_bytes, ring_bytes, s->segment_fd_);
  s->application_eventfd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  s->daemon_eventfd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (!s->segment_ || s->application_eventfd_ < 0 || s->daemon_eventfd_ < 0) return nullptr;
  return s;
}

Session::~Session() {
  for (const int fd : {segment_fd_, application_eventfd_, daemon_eventfd_})
    if (fd >= 0) close(fd);
}

void Session::close_segment_fd() {
  if (segment_fd_ >= 0) close(std::exchange(segment_fd_, -1));
}

bool Session::pump(Connection& connection, TimeNs now, bool* intact) {
  ring::Control& c = segment_.control();
  Sender& sender = connection.sender();
  bool changed = false;
  if (!started_) {
    started_ = true;
    acknowledged_ = sender.acknowledged();
  }
  if (sender.acknowledged() != acknowledged_) {
    acknowledged_ = sender.acknowledged();
    tx_head_ = ends_[acknowledged_ - 1];
    c.tx_head.store(tx_head_, std::memory_order_release);
    changed = tx_freed_ = true;
  }
  // `closing` is read before the tail, so that all messages written before closing are seen.
  const bool closing = this->closing();
  const std::uint64_t tail = c.tx_tail.load(std::memory_order_acquire);
  const auto all_taken = [&] { return !in_record_ && tx_position_ == tail; };
  all_sent_ = all_taken() && !sender.has_unsent();
  stopped_ = sender.in_flight() == 0 && !sender.congested();
  while (sender.wanted() != 0) {
    if (!in_record_) {
      const ring::ReadResult found =
          ring::read_record(segment_.tx(), segment_.tx_bytes(), tx_position_, tail, record_);
      if (found == ring::ReadResult::kEmpty) break;
      if (found == ring::ReadResult::kCorrupt) {
        broken_ = true;
        break;
      }
      // Without the feature a record is a whole message, whatever its flags say.
      record_flags_ =
          static_cast<std::uint8_t>((connection.features() & kHeads) != 0
                                        ? record_.flags & (ring::kFirst | ring::kLast | ring::kHead)
                                        : ring::kFirst | ring::kLast);
      if ((record_flags_ & ring::kHead) != 0 &&
          ((record_flags_ & ring::kFirst) == 0 || record_.bytes.size() < ring::kHeadBytes)) {
        broken_ = true;
        break;
      }
      in_record_ = true;
      offset_ = 0;
    }
    const std::size_t left = record_.bytes.size() - offset_;
    const std::size_t n = std::min<std::size_t>(left, connection.payload_bytes());
    const auto flags = static_cast<std::uint8_t>(
        (offset_ == 0 ? record_flags_ & (ring::kFirst | ring::kHead) : 0) |
        (n == left ? record_flags_ & ring::kLast : 0));
    ends_.extend(sender.acknowledged(), sender.next());
    // A message's bytes are freed only when its last packet is acknowledged.
    ends_[sender.next()] = n == left ? record_.end : tx_position_;
    sender.push(record_.bytes.data() + offset_, static_cast<std::uint16_t>(n), flags, now);
    offset_ += n;
    if (n == left) {
      tx_position_ = record_.end;
      in_record_ = false;
    }
    changed = true;
  }
  all_taken_ = all_taken();
  if (closing && all_taken_ && !connection.closing()) {
    connection.close();
    changed = true;
  }
  if (c.closing.load(std::memory_order_relaxed) == 2) discard_ = true;
  if (Receiver* receiver = connection.receiver()) {
    if (blocked_) {
      blocked_ = false;
      changed |= receiver->drain([this](Bytes p, std::uint8_t f) { return deliver(p, f); }) != 0;
    }
    receiver->set_room(room(connection.payload_bytes()));
    changed |= receiver->report_due() == Receiver::Due::kNow;
  }
  *intact = !broken_;
  return changed;
}

std::uint32_t Session::room(std::size_t payload) {
  if (discard_) return kWindowPacketsMax;
  const std::uint64_t head = segment_.control().rx_head.load(std::memory_order_acquire);
  if (rx_tail_ - head > segment_.rx_bytes()) {
    broken_ = true;
    return 0;
  }
  rx_head_seen_ = head;
  return static_cast<std::uint32_t>((segment_.rx_bytes() - (rx_tail_ - head)) /
                                    ring::record_bytes(payload));
}

bool Session::deliver(Bytes payload, std::uint8_t flags) {
  if (discard_) return true;
  std::byte* to = ring::reserve_record(segment_.rx(), segment_.rx_bytes(), rx_tail_, rx_head_seen_,
                                       payload.size());
  if (to == nullptr) {
    room(payload.size());
    to = broken_ ? nullptr
                 : ring::reserve_record(segment_.rx(), segment_.rx_bytes(), rx_tail_, rx_head_seen_,
                                        payload.size());
    if (to == nullptr) {
      blocked_ = true;
      return false;
    }
  }
  if (!payload.empty()) std::memcpy(to, payload.data(), payload.size());
  rx_tail_ = ring::commit_record(to, rx_tail_, payload.size(), flags);
  return true;
}

void Session::publish() {
  ring::Control& c = segment_.control();
  if (rx_published_ == rx_tail_ && !tx_freed_) return;
  rx_published_ = rx_tail_;
  c.rx_tail.store(rx_tail_, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const ring::Waits waits = c.application_waits.load(std::memory_order_relaxed);
  if (waits == ring::Waits::kForRoom && !has_much_room()) return;  // a later turn looks again
  tx_freed_ = false;
  if (waits == ring::Waits::kNo) return;
  if (c.application_waits.exchange(ring::Waits::kNo) != ring::Waits::kNo)
    eventfd_write(application_eventfd_, 1);
}

bool Session::has_much_room() const {
  const std::uint64_t used = segment_.control().tx_tail.load(std::memory_order_relaxed) - tx_head_;
  return all_sent_ || stopped_ || used <= segment_.tx_bytes() - segment_.tx_bytes() / 16;
}

bool Session::needs_application(const Connection& connection) const {
  // If much waits to be read, the peer may have stopped, and continues when some of it is.
  return blocked_ || closing() || 2 * (rx_tail_ - rx_head_seen_) > segment_.rx_bytes() ||
         (all_taken_ && !connection.sender().has_unsent());
}

void Session::set_state(ring::State state, Error error) {
  ring::Control& c = segment_.control();
  c.rx_tail.store(rx_tail_, std::memory_order_release);
  c.error.store(static_cast<std::uint32_t>(error), std::memory_order_relaxed);
  // If a connection ended without an error, everything has been acknowledged.
  if (state == ring::State::kClosed && error == Error::kNone)
    c.tx_head.store(tx_position_, std::memory_order_release);
  c.state.store(state, std::memory_order_release);
  eventfd_write(application_eventfd_, 1);
}

void Session::publish_counters(const Sender::Counters& counters) {
  // The application reads this cache line for each message, so it is written only if it changes.
  ring::Control& c = segment_.control();
  const auto set = [](std::atomic<std::uint64_t>& to, std::uint64_t value) {
    if (to.load(std::memory_order_relaxed) != value) to.store(value, std::memory_order_relaxed);
  };
  set(c.retransmitted, counters.retransmitted_lost);
  set(c.rejected, counters.rejected);
}

Session::Occupancy Session::occupancy() const {
  const ring::Control& c = segment_.control();
  const std::uint64_t tail = c.tx_tail.load(std::memory_order_relaxed);
  const std::uint64_t head = c.rx_head.load(std::memory_order_relaxed);
  return {.to_send_bytes = std::min<std::uint64_t>(tail - tx_head_, segment_.tx_bytes()),
          .tx_bytes = segment_.tx_bytes(),
          .to_read_bytes = std::min<std::uint64_t>(rx_tail_ - head, segment_.rx_bytes()),
          .rx_bytes = segment_.rx_bytes(),
          .blocked = blocked_};
}

void Session::set_daemon_waits(bool waits) {
  segment_.control().daemon_waits.store(waits, std::memory_order_relaxed);
}

void Session::take_wake() const {
  eventfd_t count = 0;
  eventfd_read(daemon_eventfd_, &count);
}

}  // namespace selvedge::service
