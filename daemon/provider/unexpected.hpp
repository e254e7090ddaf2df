// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How much memory messages take that nobody has posted a receive for. A receiver grants each peer a
// credit of bytes. A message within the credit is sent at once (eagerly), and stored if no receive
// takes it. A message beyond it is only offered: its header is sent, and its payload stays with the
// sender until a receive has taken it. So nothing ever waits for credit, and memory is bounded.
//
//      consumed            arrived           granted (told to the sender)
//    -----+-------------------+------------------+------> bytes that were sent eagerly
//         |  stored           |  may still come  |
//         |<----- promised: counts against the budget
//
// Every message is charged with its length and kArrivalBytes, so that many short ones are bounded
// too. A message that a posted receive takes is consumed as it arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace selvedge::provider {

/// What a stored message is charged with in addition to its length: its entry in the queue.
inline constexpr std::uint64_t kArrivalBytes = 256;
/// The credit with which each connection begins, and which every peer gets however full the budget
/// is. Both ends must know it before the first message, so it belongs to the version of the hello.
inline constexpr std::uint64_t kFirstCredit = 32 << 10;
/// The most credit of one peer, as much as the ring of a connection holds by default.
inline constexpr std::uint64_t kCreditMax = 4 << 20;
/// A longer message is always offered: a round trip is little beside its time, and it needs no
/// copy.
inline constexpr std::uint64_t kEagerBytesMax = 256 << 10;
/// The budget of an endpoint if SELVEDGE_UNEXPECTED_BYTES says nothing, and its limits.
inline constexpr std::uint64_t kUnexpectedBytes = 64 << 20;
inline constexpr std::uint64_t kUnexpectedBytesMin = kFirstCredit;
inline constexpr std::uint64_t kUnexpectedBytesMax = std::uint64_t{1} << 40;

constexpr std::uint64_t charge(std::uint64_t length) { return length + kArrivalBytes; }

/// The sender's side of one connection.
class Credit {
 public:
  /// Whether a message of that length may be sent eagerly; it is charged if so.
  bool take(std::uint64_t length) {
    if (length > kEagerBytesMax || charge(length) > granted_ - sent_) return false;
    sent_ += charge(length);
    return true;
  }
  /// Returns whether the receiver may say so: a grant is never taken back, and has a limit.
  bool raise(std::uint64_t granted) {
    if (granted < granted_ || granted - sent_ > kCreditMax) return false;
    granted_ = granted;
    return true;
  }

 private:
  std::uint64_t sent_ = 0, granted_ = kFirstCredit;
};

/// What one endpoint has promised to its peers, together.
class Budget {
 public:
  explicit Budget(std::uint64_t total) : total_(total) {}
  std::uint64_t total() const { return total_; }
  /// At most total(), and kFirstCredit for each open connection, and once more total() for stored
  /// messages of connections that have ended.
  std::uint64_t promised() const { return promised_; }
  /// Whether a new connection may get its first credit: messages of ended connections must not
  /// have filled the budget.
  bool has_room() const { return orphaned_ < total_; }

 private:
  friend class Promise;
  std::uint64_t total_, promised_ = 0, orphaned_ = 0;
  std::uint64_t peers_ = 0;
};

/// The receiver's side of one connection.
class Promise {
 public:
  explicit Promise(Budget& budget) : budget_(budget) {
    ++budget_.peers_;
    budget_.promised_ += granted_;
  }
  ~Promise() { end(); }
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;

  /// A message arrives; false if the peer had no credit for it.
  bool arrive(std::uint64_t length) {
    if (length > kEagerBytesMax || charge(length) > granted_ - arrived_) return false;
    arrived_ += charge(length);
    return true;
  }
  /// The peer lacked credit, and has offered a message.
  void offered() { asked_ = lacking_ = true; }
  /// A message has left the memory, or never came there.
  void consume(std::uint64_t length) {
    asked_ = true;
    consumed_ += charge(length);
    budget_.promised_ -= charge(length);
    if (ended_) budget_.orphaned_ -= charge(length);
  }
  /// What the sender is to be told: a new value for Credit::raise, if it would be of use.
  std::optional<std::uint64_t> grant() {
    if (!std::exchange(asked_, false) || ended_) return {};
    const std::uint64_t window =
        std::clamp(budget_.total_ / budget_.peers_, kFirstCredit, kCreditMax);
    const std::uint64_t room =
        budget_.total_ > budget_.promised_ ? budget_.total_ - budget_.promised_ : 0;
    const std::uint64_t to =
        std::max(std::min(consumed_ + window, granted_ + room), consumed_ + kFirstCredit);
    // Seldom while there is credit, so that a grant costs little; soon when there is hardly any.
    const bool soon = std::exchange(lacking_, false) || granted_ - consumed_ <= kFirstCredit / 2;
    if (to <= granted_ || (to - granted_ < window / 2 && !soon)) return {};
    budget_.promised_ += to - granted_;
    granted_ = to;
    return to;
  }
  /// The connection has ended: nothing more can come, but messages may still be stored.
  void end() {
    if (std::exchange(ended_, true)) return;
    --budget_.peers_;
    budget_.promised_ -= granted_ - arrived_;
    budget_.orphaned_ += arrived_ - consumed_;
  }

 private:
  Budget& budget_;
  std::uint64_t consumed_ = 0, arrived_ = 0, granted_ = kFirstCredit;
  bool ended_ = false;
  bool asked_ = false;    // something has changed since the last grant()
  bool lacking_ = false;  // the peer lacked credit since then
};

/// The memory of a stored message; it is consumed when this is destroyed.
class Held {
 public:
  Held() = default;
  Held(std::shared_ptr<Promise> promise, std::uint64_t length)
      : promise_(std::move(promise)), length_(length) {}
  ~Held() {
    if (promise_ != nullptr) promise_->consume(length_);
  }
  Held(Held&&) = default;
  Held& operator=(Held&& other) noexcept {
    std::swap(promise_, other.promise_);
    std::swap(length_, other.length_);
    return *this;
  }

 private:
  std::shared_ptr<Promise> promise_;
  std::uint64_t length_ = 0;
};

}  // namespace selvedge::provider
