// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ExploreWorld is the state that explore_test explores: two connections and the packets between
// them. Each event that may happen next is one step.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "tests/unit/protocol/inspect.hpp"

namespace selvedge::protocol::test {

struct Setting {
  const char* name;
  unsigned packets = 3, slots = 2, paths = 2;
  InjectionMode mode = InjectionMode::kLi;
  unsigned drops = 1, doubles = 0, ticks = 1;  ///< limits of a run; time passes in ticks
  bool closes = false;                         ///< both sides close when all has been delivered
  bool reads = true;  ///< false: the application begins to read at any step, or only at the end
  /// Of a packet. With kPayloadBytesMax, the unsolicited window is one packet, so that all others
  /// need a grant.
  std::uint16_t bytes = 1;
  Overtaking overtaking = Overtaking::kMeasured;
  bool asks = false;  ///< both ends have kAsksForMore

  std::uint16_t payload_bytes() const { return std::max<std::uint16_t>(bytes, kPayloadBytesMin); }
  std::uint32_t memory_slots() const { return slots * slots_of(bytes); }
};

/// Side 0 sends to side 1.
class ExploreWorld {
 public:
  explicit ExploreWorld(const Setting& s)
      : setting_(s),
        pools_{SlotPool(0, s.payload_bytes()),
               SlotPool(s.slots * std::size_t{s.payload_bytes()}, s.payload_bytes())} {
    Handshake opening[2];
    for (unsigned i : {0u, 1u}) opening[i] = setup(i).own;
    for (unsigned i : {0u, 1u})
      side_[i] = std::make_unique<Connection>(pools_[i], setup(i), opening[1 - i], now_);
    for (unsigned i : {0u, 1u}) {  // completes the handshake: each side has received from its peer
      Header h;
      h.ack = opening[i].first;
      h.window = static_cast<std::uint16_t>(reads() || i == 0 ? kWindowPacketsMin : 0);
      side_[i]->on_close_reply(now_, h);
      side_[i]->receiver()->set_room(i == 1 && !reads() ? 0 : 1'000);
    }
    for (unsigned n = 0; n < s.packets; ++n)
      side_[0]->sender().push(bytes_of(n), s.bytes, kFirstOfMessage | kLastOfMessage);
    if (s.closes) side_[0]->close();
  }

  // The actions of step(). To each of the last three the index i of a packet in the air is added:
  // kDeliver + i.
  enum : std::uint8_t {
    kFlush0,
    kFlush1,
    kLull,
    kTimer,
    kRead,
    kDeliver = 16,
    kDrop = 32,
    kDuplicated = 48
  };

  /// Whether the action makes sense. It does not if the packet does not exist, an equal packet
  /// precedes it, or the limit of drops or duplicates is reached. step() may still find that it
  /// cannot happen.
  bool possible(std::uint8_t action) const {
    if (action < kDeliver) return action <= kRead;
    const auto i = static_cast<std::size_t>(action & 15);
    if (i >= air_.size() || (action >= kDrop && action < kDuplicated && drops_ == setting_.drops) ||
        (action >= kDuplicated && doubles_ == setting_.doubles))
      return false;
    const auto first = air_.begin() + static_cast<long>(i);
    return std::find(air_.begin(), first, air_[i]) == first;
  }
  /// Performs an action. Returns false if the action cannot happen in this state, or changes
  /// nothing.
  bool step(std::uint8_t action) {
    if (!possible(action)) return false;
    const unsigned i = action & 15;
    switch (action < kDeliver ? action : action & 0xf0) {
      case kFlush0:
      case kFlush1:
        return flush(action);
      case kLull:
        return receive_idle();
      case kTimer:
        return timer();
      case kRead:
        return read();
      case kDuplicated:
        ++doubles_;
        air_.push_back(air_[i]);
        return true;
      default:
        break;
    }
    const Flying f = std::move(air_[i]);
    air_.erase(air_.begin() + i);
    if (action < kDrop)
      arrive(f);
    else
      ++drops_;
    return true;
  }

  /// Null if all invariants hold; else a description of the violation.
  const char* wrong() const {
    if (wrong_) return wrong_;
    if (side_[0]->error() != Error::kNone || side_[1]->error() != Error::kNone)
      return "a connection ended with an error";
    if (pools_[1].used() > setting_.memory_slots()) return "more memory than there is";
    const Receiver& r = *side_[1]->receiver();
    const std::uint32_t granted = r.granted_end() - r.delivered_slots();
    if (r.granting() && granted > std::max(setting_.memory_slots(), kUnsolicitedSlots) &&
        static_cast<std::int32_t>(granted) > 0)
      return "more granted than there is memory";
    if (distance(side_[1]->receiver()->expected(), side_[0]->sender().acknowledged()) > 0)
      return "acknowledged what was not delivered";
    if (!Inspect::accounts_add_up(side_[0]->sender())) return "the sender's accounts";
    return nullptr;
  }
  bool over() const {
    if (!setting_.closes)
      return got_ == setting_.packets && side_[0]->sender().idle() && air_.empty();
    return side_[0]->state() == Connection::State::kClosed &&
           side_[1]->state() == Connection::State::kClosed;
  }
  std::size_t delivered() const { return got_; }
  Sender::Counters counters() const { return side_[0]->sender().counters(); }
  Receiver::Counters receiver_counters() const { return side_[1]->receiver()->counters(); }

  std::pair<std::uint64_t, std::uint64_t> digest() const {
    Digest d[2] = {Digest(1), Digest(2)};
    for (Digest& one : d) {
      const Inspect inspect{now_, one};
      for (unsigned i : {0u, 1u}) inspect.connection(*side_[i], Inspect::reports(*side_[1 - i]));
      // Sorted, because packets in the air are unordered.
      std::vector<std::uint64_t> flying;
      for (const Flying& f : air_) {
        Digest packet(3);
        packet(f.to);
        Header h;
        decode(f.bytes, h);
        if (h.kind == Kind::kReport) h.sequence -= Inspect::reports(*side_[1 - f.to]);
        std::array<std::byte, kHeaderBytes> head;
        encode(h, head.data());
        for (const std::byte b : head) packet(std::to_integer<std::uint64_t>(b));
        // The bytes of a data packet are all equal.
        const std::size_t end = std::min<std::size_t>(
            f.bytes.size(),
            h.kind == Kind::kData ? kHeaderBytes + 1 : kHeaderBytes + kReportBytesMax);
        for (std::size_t n = kHeaderBytes; n < end; ++n)
          packet(std::to_integer<std::uint64_t>(f.bytes[n]));
        flying.push_back(packet.value());
      }
      std::ranges::sort(flying);
      for (const std::uint64_t f : flying) one(f);
      one(got_ << 32 | drops_ << 24 | doubles_ << 16 | ticks_ << 8 | read_);
    }
    return {d[0].value(), d[1].value()};
  }

  /// Continues without faults while time passes; returns whether everything is delivered and
  /// closed.
  bool ends_well() {
    read();
    for (int round = 0; round < 2'000 && !over(); ++round) {
      while (!air_.empty()) {
        const Flying f = air_.front();
        air_.erase(air_.begin());
        arrive(f);
      }
      flush(0);
      flush(1);
      if (!air_.empty()) {
        // Time must pass, or rejected packets could be retransmitted for ever at the same time.
        now_ += kReportDelayNs;
        continue;
      }
      ticks_ = 0;
      if (!receive_idle()) timer();
    }
    return over() && !wrong() && got_ == setting_.packets && pools_[1].used() == 0;
  }

 private:
  struct Flying {
    unsigned to;
    std::vector<std::byte> bytes;
    friend bool operator==(const Flying&, const Flying&) = default;
  };

  bool reads() const { return setting_.reads || read_; }
  Connection::Setup setup(unsigned i) const {
    Connection::Setup s;
    s.id = i + 1;
    s.own.token = i + 1;
    s.own.connection = i + 1;
    s.own.first = i == 0 ? 0xffff'fffe : 100;  // side 0's numbers wrap around during the run
    s.own.payload_bytes = setting_.payload_bytes();
    s.own.paths = static_cast<std::uint8_t>(setting_.paths);
    s.own.features = setting_.asks ? kAsksForMore : 0;
    s.window_packets = s.sender.window_packets = kWindowPacketsMin;
    s.sender.in_flight_packets = setting_.packets;
    s.sender.paths.paths = setting_.paths;
    s.sender.paths.overtaking = setting_.overtaking;
    s.sender.burst_packets = 1;
    s.sender.injection = setting_.mode;
    s.memory_slots = i == 1 ? setting_.memory_slots() : 0;
    s.policy = setting_.mode == InjectionMode::kLw ? MemoryPolicy::kStatic : MemoryPolicy::kDynamic;
    return s;
  }

  bool flush(unsigned i) {
    Connection& c = *side_[i];
    bool any = false;
    if (c.deadline() <= now_) {
      c.on_timer(now_);
      any = true;
    }
    std::array<std::byte, kControlBytesMax> bytes;
    for (auto control = c.next_control(now_, true, bytes.data()); control.size != 0;
         control = c.next_control(now_, true, bytes.data())) {
      any = true;
      air_.push_back({1 - i, {bytes.begin(), bytes.begin() + static_cast<long>(control.size)}});
    }
    for (Burst burst; c.next_burst(now_, burst);)
      for (unsigned n = 0; n < burst.count; ++n) {
        any = true;
        const Outgoing& p = burst.packets[n];
        Flying f{1 - i, std::vector<std::byte>(kHeaderBytes + p.length)};
        encode(c.data_header(p, burst.path), f.bytes.data());
        std::memcpy(f.bytes.data() + kHeaderBytes, p.data, p.length);
        air_.push_back(std::move(f));
      }
    const std::uint8_t news = c.take_notifications();
    if ((news & static_cast<std::uint8_t>(Connection::Notification::kPeerClosed)) != 0) {
      any = true;
      c.close();  // as an application does at the end of the stream
    }
    return any;
  }

  /// Advances the time until reports that are not urgent are due.
  bool receive_idle() {
    bool wanted = false;
    for (const auto& c : side_)
      wanted |= c->state() == Connection::State::kOpen &&
                c->receiver()->report_due() == Receiver::Due::kSoon;
    if (!wanted || !tick()) return false;
    now_ += kReportDelayNs;
    return true;
  }
  /// Advances to the next deadline of either side.
  bool timer() {
    const TimeNs next = std::min(side_[0]->deadline(), side_[1]->deadline());
    if (next == kNever || !tick()) return false;
    now_ = std::max(now_, next);
    for (const auto& c : side_)
      if (c->deadline() <= now_) c->on_timer(now_);
    return true;
  }
  bool tick() {
    if (ticks_ == setting_.ticks) return false;
    ++ticks_;
    return true;
  }
  bool read() {
    if (reads()) return false;
    read_ = true;
    Receiver& r = *side_[1]->receiver();
    r.set_room(1'000);
    r.drain([this](Bytes bytes, std::uint8_t) { return take(bytes); });
    return true;
  }

  bool take(Bytes payload) {
    if (!reads()) return false;
    if (got_ >= setting_.packets || payload.size() != setting_.bytes ||
        payload.front() != *bytes_of(got_) || payload.back() != *bytes_of(got_))
      wrong_ = "something else was delivered than was sent";
    ++got_;
    return true;
  }

  void arrive(const Flying& f) {
    Connection& c = *side_[f.to];
    Header h;
    if (decode(f.bytes, h) != Decoded::kGood) {
      wrong_ = "a packet that is none";
      return;
    }
    const Bytes payload = Bytes{f.bytes}.subspan(kHeaderBytes);
    Report report;
    switch (h.kind) {
      case Kind::kData:
        c.on_data(now_, h, payload, [this](Bytes bytes, std::uint8_t) { return take(bytes); });
        break;
      case Kind::kReport:
        if (!decode(payload, report)) wrong_ = "a report that is none";
        c.on_report(now_, h, report);
        break;
      case Kind::kKeepalive:
        c.on_keepalive(now_, h);
        break;
      case Kind::kClose:
        // A real endpoint has deleted a closed connection, and answers with a reflected reset.
        if (c.state() == Connection::State::kClosed)
          side_[1 - f.to]->on_reset(Error::kPeerForgot, true);
        else
          c.on_close(now_, h);
        break;
      case Kind::kCloseReply:
        c.on_close_reply(now_, h);
        break;
      default:
        break;  // the handshake was completed by the constructor
    }
  }

  /// The payload of packet n, which is n + 10 repeated.
  static const std::byte* bytes_of(std::size_t n) {
    static const auto all = [] {
      std::array<std::array<std::byte, kPayloadBytesMax>, 4> bytes;
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i].fill(static_cast<std::byte>(i + 10));
      return bytes;
    }();
    return all.at(n).data();
  }
  Setting setting_;
  TimeNs now_ = 1'000 * kSecond;
  std::array<SlotPool, 2> pools_;
  std::array<std::unique_ptr<Connection>, 2> side_;
  std::vector<Flying> air_;
  std::size_t got_ = 0;
  unsigned drops_ = 0, doubles_ = 0, ticks_ = 0;
  bool read_ = false;
  const char* wrong_ = nullptr;
};

}  // namespace selvedge::protocol::test
