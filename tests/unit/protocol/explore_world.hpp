// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ExploreWorld is the state that explore_test explores: one connection or two, both ends of each,
// and the packets between them. Each event that may happen next is one step. Two connections have
// senders of their own, and one receiving daemon, whose memory they share.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
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
  unsigned connections = 1;
  /// Makes far fewer states: the network keeps the order of packets, and senders send at once when
  /// something arrives or time has passed.
  bool orderly = false;
  TimeNs ends_ns = kNever;  ///< how long ends_well() may take
  /// How long the handshake takes: the first keep-alives follow it.
  TimeNs handshake_ns = kRttNsInitial;
  /// How much longer it may take because something that side 1 sent was dropped.
  TimeNs heals_ns = kNever;

  std::uint16_t payload_bytes() const { return std::max<std::uint16_t>(bytes, kPayloadBytesMin); }
  std::uint32_t memory_slots() const { return slots * slots_of(bytes); }
};

/// Side 0 of each connection sends to side 1.
class ExploreWorld {
 public:
  explicit ExploreWorld(const Setting& s)
      : setting_(s),
        pools_{SlotPool(0, s.payload_bytes()),
               SlotPool(s.slots * std::size_t{s.payload_bytes()}, s.payload_bytes())} {
    flows_.resize(s.connections);
    for (unsigned f = 0; f < s.connections; ++f) {
      auto& side = flows_[f].side;
      Handshake opening[2];
      for (unsigned i : {0u, 1u}) opening[i] = setup(f, i).own;
      for (unsigned i : {0u, 1u})
        side[i] = std::make_unique<Connection>(pools_[i], setup(f, i), opening[1 - i], now_);
      for (unsigned i : {0u, 1u}) {  // completes the handshake: each has received from its peer
        Header h;
        h.ack = opening[i].first;
        h.window = static_cast<std::uint16_t>(reads() || i == 0 ? kWindowPacketsMin : 0);
        side[i]->on_close_reply(now_ + s.handshake_ns, h);
        side[i]->receiver()->set_room(i == 1 && !reads() ? 0 : 1'000);
      }
      for (unsigned n = 0; n < s.packets; ++n)
        side[0]->sender().push(bytes_of(f, n), s.bytes, kFirstOfMessage | kLastOfMessage);
      if (s.closes) side[0]->close();
    }
    now_ += s.handshake_ns;
  }

  // The actions of step(). To each of the last three the index i of a packet in the air is added:
  // kDeliver + i.
  enum : std::uint8_t {
    kFlush0,
    kFlush1,
    kLull,
    kTimer,
    kRead,
    kFlushOther,  // side 0 of the second connection
    kDeliver = 16,
    kDrop = 32,
    kDuplicated = 48
  };

  /// Whether the action makes sense. It does not if the packet does not exist, an equal packet
  /// precedes it, or the limit of drops or duplicates is reached. step() may still find that it
  /// cannot happen.
  bool possible(std::uint8_t action) const {
    if (action < kDeliver) return action <= kRead || (action == kFlushOther && flows_.size() > 1);
    const auto i = static_cast<std::size_t>(action & 15);
    if (i >= air_.size() || (action >= kDrop && action < kDuplicated && drops_ == setting_.drops) ||
        (action >= kDuplicated && doubles_ == setting_.doubles))
      return false;
    const auto first = air_.begin() + static_cast<long>(i);
    if (setting_.orderly)
      return std::none_of(air_.begin(), first, [&](const Flying& f) {
        return f.flow == first->flow && f.to == first->to;
      });
    return std::find(air_.begin(), first, air_[i]) == first;
  }
  /// The action that delivers what this possible action drops, if that goes to side 0.
  std::optional<std::uint8_t> instead_of_loss(std::uint8_t action) const {
    if (action < kDrop || action >= kDuplicated || air_[action & 15].to != 0) return std::nullopt;
    return action - kDrop + kDeliver;
  }
  /// Performs an action. Returns false if the action cannot happen in this state, or changes
  /// nothing.
  bool step(std::uint8_t action) {
    if (!possible(action)) return false;
    const unsigned i = action & 15;
    switch (action < kDeliver ? action : action & 0xf0) {
      case kFlush0:
        return flush(flows_[0], 0);
      case kFlushOther:
        return flush(flows_[1], 0);
      case kFlush1:
        return flush_receivers();
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
    if (setting_.orderly && action < kDrop && f.to == 0) flush(flows_[f.flow], 0);
    return true;
  }

  /// Null if all invariants hold; else a description of the violation.
  const char* wrong() const {
    if (wrong_) return wrong_;
    if (pools_[1].used() > setting_.memory_slots()) return "more memory than there is";
    for (const Flow& f : flows_) {
      if (f.side[0]->error() != Error::kNone || f.side[1]->error() != Error::kNone)
        return "a connection ended with an error";
      const Receiver& r = *f.side[1]->receiver();
      const std::uint32_t granted = r.granted_end() - r.delivered_slots();
      if (r.granting() && granted > std::max(setting_.memory_slots(), kUnsolicitedSlots) &&
          static_cast<std::int32_t>(granted) > 0)
        return "more granted than there is memory";
      if (distance(r.expected(), f.side[0]->sender().acknowledged()) > 0)
        return "acknowledged what was not delivered";
      if (!Inspect::accounts_add_up(f.side[0]->sender())) return "the sender's accounts";
    }
    return nullptr;
  }
  bool over() const {
    if (!setting_.closes)
      return air_.empty() && std::ranges::all_of(flows_, [this](const Flow& f) {
               return f.got == setting_.packets && f.side[0]->sender().idle();
             });
    return std::ranges::all_of(flows_, [](const Flow& f) {
      return f.side[0]->state() == Connection::State::kClosed &&
             f.side[1]->state() == Connection::State::kClosed;
    });
  }
  std::uint64_t retransmitted_lost() const {
    return sum([](const Flow& f) { return f.side[0]->sender().counters().retransmitted_lost; });
  }
  std::uint64_t rejected() const {
    return sum([](const Flow& f) { return f.side[0]->sender().counters().rejected; });
  }
  std::uint64_t duplicates() const {
    return sum([](const Flow& f) { return f.side[1]->receiver()->counters().duplicates; });
  }
  /// How many turns were granted.
  unsigned turns() const { return turns_; }

  std::pair<std::uint64_t, std::uint64_t> digest() const {
    Digest d[2] = {Digest(1), Digest(2)};
    for (Digest& one : d) {
      // Sorted, because it does not matter which of two connections is in which state.
      std::vector<std::uint64_t> flows;
      for (unsigned f = 0; f < flows_.size(); ++f) flows.push_back(digest(f, one));
      std::ranges::sort(flows);
      for (const std::uint64_t f : flows) one(f);
      one(std::uint64_t{drops_} << 24 | doubles_ << 16 | ticks_ << 8 | read_);
    }
    return {d[0].value(), d[1].value()};
  }

  /// Continues without faults while time passes; returns whether everything is delivered and
  /// closed, and no later than setting.ends_ns.
  bool ends_well() {
    const TimeNs began = now_;
    read();
    for (int round = 0; round < 2'000 && !over(); ++round) {
      while (!air_.empty()) {
        const Flying packet = air_.front();
        air_.erase(air_.begin());
        arrive(packet);
      }
      for (Flow& f : flows_) flush(f, 0);
      flush_receivers();
      if (!air_.empty()) {
        // Time must pass, or rejected packets could be retransmitted for ever at the same time.
        now_ += kReportDelayNs;
        continue;
      }
      ticks_ = 0;
      if (!receive_idle()) timer();
    }
    took_ns_ = now_ - began;
    return over() && !wrong() && took_ns_ <= setting_.ends_ns && pools_[1].used() == 0 &&
           std::ranges::all_of(flows_, [this](const Flow& f) { return f.got == setting_.packets; });
  }
  /// How long ends_well() took.
  TimeNs took_ns() const { return took_ns_; }

 private:
  struct Flying {
    unsigned flow, to;
    std::vector<std::byte> bytes;
    friend bool operator==(const Flying&, const Flying&) = default;
  };

  struct Flow {
    std::array<std::unique_ptr<Connection>, 2> side;
    std::size_t got = 0;
    // What side 1's SlotShare keeps to itself, as it follows from the changes of the pool's sums.
    std::uint64_t counted = 0, turn_slots = 0;
    std::uint32_t active = 0;
    bool in_turn = false, demanded_before = false;
  };

  template <class Count>
  std::uint64_t sum(Count&& count) const {
    std::uint64_t all = 0;
    for (const Flow& f : flows_) all += count(f);
    return all;
  }

  /// All that determines what one connection does.
  std::uint64_t digest(unsigned number, const Digest& seed) const {
    const Flow& flow = flows_[number];
    Digest d = seed;
    const Inspect inspect{now_, d};
    for (unsigned i : {0u, 1u})
      inspect.connection(*flow.side[i], Inspect::reports(*flow.side[1 - i]));
    // Sorted, because packets in the air are unordered.
    std::vector<std::uint64_t> flying;
    for (const Flying& f : air_) {
      if (f.flow != number) continue;
      Digest packet(3);
      packet(f.to);
      Header h;
      decode(f.bytes, h);
      if (h.kind == Kind::kReport) h.sequence -= Inspect::reports(*flow.side[1 - f.to]);
      h.connection = 0;
      h.token = 0;
      std::array<std::byte, kHeaderBytes> head;
      encode(h, head.data());
      for (const std::byte b : head) packet(std::to_integer<std::uint64_t>(b));
      if (h.kind != Kind::kData)
        for (std::size_t n = kHeaderBytes; n < f.bytes.size(); ++n)
          packet(std::to_integer<std::uint64_t>(f.bytes[n]));
      flying.push_back(packet.value());
    }
    std::ranges::sort(flying);
    for (const std::uint64_t f : flying) d(f);
    d(flow.got);
    if (flows_.size() == 1) return d.value();
    d(flow.counted);
    d(Inspect::turn(*flow.side[1]->receiver()) ? flow.turn_slots : 0);
    d(std::uint64_t{flow.active} << 2 | flow.in_turn << 1 | flow.demanded_before);
    d(static_cast<std::uint64_t>(std::ranges::find(waiting_, number) - waiting_.begin()));
    return d.value();
  }

  bool reads() const { return setting_.reads || read_; }
  Connection::Setup setup(unsigned flow, unsigned i) const {
    Connection::Setup s;
    s.id = 2 * flow + i + 1;
    s.own.token = s.own.connection = s.id;
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

  unsigned number_of(const Flow& f) const { return static_cast<unsigned>(&f - flows_.data()); }

  /// Lets side 1 do something, and follows what that changes in its SlotShare.
  template <class Act>
  auto follow(Flow& f, Act&& act) {
    const Connection& c = *f.side[1];
    const Receiver& r = *c.receiver();
    const std::uint64_t promised = pools_[1].promised();
    const std::uint32_t active = pools_[1].active();
    const Sequence reports = Inspect::reports(c);
    const bool turn = Inspect::turn(r), demanded = Inspect::demanded(r);
    const auto kept = static_cast<std::int32_t>(r.granted_end() - r.delivered_slots());
    const auto result = act();
    f.counted += pools_[1].promised() - promised;
    f.active += pools_[1].active() - active;
    if (!r.granting()) f.in_turn = false;
    if (r.granting() && Inspect::reports(c) != reports && !turn) {
      const bool fair = pools_[1].active() <= 1;  // its share is all memory: no turns are needed
      const bool used_up = kept < static_cast<std::int32_t>(pools_[1].packet_slots());
      if (fair || used_up) f.in_turn = false;
      if (!fair && used_up) f.demanded_before = demanded;
    }
    const bool waits = Inspect::waiting(r);
    const auto at = std::ranges::find(waiting_, number_of(f));
    if (waits && at == waiting_.end()) waiting_.push_back(number_of(f));
    if (!waits && at != waiting_.end()) waiting_.erase(at);
    return result;
  }

  /// As Endpoint::flush does.
  bool flush_receivers() {
    bool any = false;
    std::uint64_t promised = pools_[1].promised();
    pools_[1].serve([&](std::uint32_t id) {
      Flow& f = flows_[id / 2 - 1];
      f.turn_slots = pools_[1].promised() - promised;
      promised = pools_[1].promised();
      f.counted += f.turn_slots;
      f.in_turn = true;
      std::erase(waiting_, number_of(f));
      ++turns_;
      any = true;
    });
    for (Flow& f : flows_) any |= follow(f, [&] { return flush(f, 1); });
    return any;
  }

  bool flush(Flow& flow, unsigned i) {
    Connection& c = *flow.side[i];
    bool any = false;
    if (c.deadline() <= now_) {
      c.on_timer(now_);
      any = true;
    }
    std::array<std::byte, kControlBytesMax> bytes;
    for (auto control = c.next_control(now_, true, bytes.data()); control.size != 0;
         control = c.next_control(now_, true, bytes.data())) {
      any = true;
      air_.push_back({number_of(flow),
                      1 - i,
                      {bytes.begin(), bytes.begin() + static_cast<long>(control.size)}});
    }
    for (Burst burst; c.next_burst(now_, burst);)
      for (unsigned n = 0; n < burst.count; ++n) {
        any = true;
        const Outgoing& p = burst.packets[n];
        Flying f{number_of(flow), 1 - i, std::vector<std::byte>(kHeaderBytes + p.length)};
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
    for (const Flow& f : flows_)
      for (const auto& c : f.side)
        wanted |= c->state() == Connection::State::kOpen &&
                  c->receiver()->report_due() == Receiver::Due::kSoon;
    if (!wanted || !tick()) return false;
    now_ += kReportDelayNs;
    if (setting_.orderly) flush_due();
    return true;
  }
  void flush_due() {
    for (Flow& f : flows_)
      if (f.side[0]->deadline() <= now_ || f.side[0]->busy()) flush(f, 0);
  }
  /// Advances to the next deadline of any side.
  bool timer() {
    TimeNs next = kNever;
    for (const Flow& f : flows_)
      next = std::min({next, f.side[0]->deadline(), f.side[1]->deadline()});
    if (next == kNever || !tick()) return false;
    now_ = std::max(now_, next);
    for (Flow& f : flows_) {
      if (f.side[0]->deadline() <= now_) f.side[0]->on_timer(now_);
      follow(f, [&] {
        if (f.side[1]->deadline() <= now_) f.side[1]->on_timer(now_);
        return true;
      });
    }
    if (setting_.orderly) flush_due();
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
    for (Flow& f : flows_) {
      Receiver& r = *f.side[1]->receiver();
      r.set_room(1'000);
      r.drain([&](Bytes bytes, std::uint8_t) { return take(f, bytes); });
    }
    return true;
  }

  bool take(Flow& f, Bytes payload) {
    if (!reads()) return false;
    if (f.got >= setting_.packets || payload.size() != setting_.bytes ||
        payload.front() != *bytes_of(number_of(f), f.got) ||
        payload.back() != *bytes_of(number_of(f), f.got))
      wrong_ = "something else was delivered than was sent";
    ++f.got;
    return true;
  }

  void arrive(const Flying& f) {
    Flow& flow = flows_[f.flow];
    Connection& c = *flow.side[f.to];
    Header h;
    if (decode(f.bytes, h) != Decoded::kGood) {
      wrong_ = "a packet that is none";
      return;
    }
    const Bytes payload = Bytes{f.bytes}.subspan(kHeaderBytes);
    Report report;
    switch (h.kind) {
      case Kind::kData:
        c.on_data(now_, h, payload, [&](Bytes bytes, std::uint8_t) { return take(flow, bytes); });
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
          flow.side[1 - f.to]->on_reset(Error::kPeerForgot, true);
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

  /// The payload of packet n, which is one byte repeated.
  static const std::byte* bytes_of(unsigned flow, std::size_t n) {
    static const auto all = [] {
      std::array<std::array<std::byte, kPayloadBytesMax>, 8> bytes;
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i].fill(static_cast<std::byte>(i + 10));
      return bytes;
    }();
    return all.at(4 * flow + n).data();
  }
  Setting setting_;
  TimeNs now_ = 1'000 * kSecond;
  std::array<SlotPool, 2> pools_;
  std::vector<Flow> flows_;
  std::vector<unsigned> waiting_;  // flows that wait for a turn, in the pool's order
  std::vector<Flying> air_;
  unsigned drops_ = 0, doubles_ = 0, ticks_ = 0, turns_ = 0;
  TimeNs took_ns_ = 0;
  bool read_ = false;
  const char* wrong_ = nullptr;
};

}  // namespace selvedge::protocol::test
