// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/closed_loop.hpp"

#include "sim/traffic/checks.hpp"
#include "sim/traffic/outbox.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 24;  // of all hosts together: 1 GB

class ClosedLoop final : public Traffic {
 public:
  ClosedLoop(const TrafficSpec& spec, const Terminals& terminals, const Model& model,
             std::unique_ptr<Pattern> pattern, std::uint64_t seed)
      : terminals_(terminals),
        pattern_(std::move(pattern)),
        window_(spec.window),
        request_bytes_(spec.payload_bytes),
        response_bytes_(spec.response_bytes),
        request_packets_(packets_of(spec.payload_bytes, model)),
        response_packets_(packets_of(spec.response_bytes, model)),
        think_(static_cast<double>(model.time_base.at(spec.think_ns))),
        limit_(spec.messages_per_host == 0 ? UINT64_MAX : spec.messages_per_host),
        requesters_(terminals.count()) {
    const std::uint64_t slots = std::uint64_t{terminals.count()} * window_;
    slots_.reserve(slots);
    for (Terminal e = 0; e < terminals.count(); ++e)
      for (std::uint32_t i = 0; i < window_; ++i) {
        const std::uint64_t whose = std::uint64_t{terminals.host(e)} << 32 | i;
        slots_.push_back({.chance = stream_of(seed, StreamUse::kRequests, whose)});
        begin_request(e, i, 0);
      }
  }

  bool wants_deliveries() const override { return true; }

  Message next(HostId from) override {
    const Terminal e = terminals_.of(from);
    if (e == kNoTerminal) return {};
    Requester& requester = requesters_[e];
    requester.sent += requester.issued ? 1 : 0;
    requester.issued = false;
    for (;;) {
      Message message = requester.outbox.next();
      if (message.at == kNever || message.tag % 2 != 0) return message;
      // The destination is drawn only now, since a pattern numbers requests in the order in which
      // they leave. If put_back() returns the request, the destination is drawn again.
      const std::uint32_t i = message.tag / 2;
      Stream chance(slot(e, i).key, i);
      const Terminal to = pattern_->to(e, requester.sent, chance);
      if (to == kNoTerminal) continue;
      message.to = terminals_.host(to);
      requester.issued = true;
      return message;
    }
  }
  void put_back(HostId from) override {
    Requester& requester = requesters_[terminals_.of(from)];
    requester.issued = false;
    requester.outbox.put_back();
  }
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, false, woken);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, true, woken);
  }

 private:
  // One of the `window` outstanding requests of a host. The tag of its request is twice the slot's
  // number, the tag of the answer one more.
  struct Slot {
    Stream chance;
    std::uint64_t key = 0;           // seeds the draw of the request's destination
    std::uint32_t packets_left = 0;  // undelivered packets of the request, then of its answer
    bool failed = false;
  };
  struct Requester {
    Outbox outbox;
    std::uint64_t planned = 0, sent = 0;  // requests planned; requests taken by the network
    bool issued = false;                  // next() returned a request last
  };
  Slot& slot(Terminal e, std::uint32_t i) { return slots_[std::size_t{e} * window_ + i]; }

  /// Plans the next request of slot i of terminal e; true if its host must be woken.
  bool begin_request(Terminal e, std::uint32_t i, Tick now) {
    if (requesters_[e].planned == limit_) return false;
    ++requesters_[e].planned;
    Slot& s = slot(e, i);
    s.packets_left = request_packets_;
    s.failed = false;
    s.key = std::uint64_t{s.chance.bits()} << 32 | s.chance.bits();
    const Tick think_time = think_ > 0 ? static_cast<Tick>(s.chance.exponential(think_)) : 0;
    return requesters_[e].outbox.plan(
        {.at = now + think_time, .to = kNoHost, .bytes = request_bytes_, .tag = 2 * i});
  }

  void arrived(const Delivery& packet, bool was_lost, std::vector<HostId>& woken) {
    const bool answer = packet.tag % 2 != 0;
    const std::uint32_t i = packet.tag / 2;
    const HostId requester_host = answer ? packet.to : packet.from;
    const HostId responder_host = answer ? packet.from : packet.to;
    const Terminal e = terminals_.of(requester_host);
    Slot& s = slot(e, i);
    s.failed |= was_lost;
    if (--s.packets_left > 0) return;
    const Tick next_tick = packet.delivered + 1;
    if (!answer && response_bytes_ > 0 && !s.failed) {
      s.packets_left = response_packets_;
      const Message response = {
          .at = next_tick, .to = requester_host, .bytes = response_bytes_, .tag = packet.tag + 1};
      if (requesters_[terminals_.of(responder_host)].outbox.plan(response))
        woken.push_back(responder_host);
    } else if (begin_request(e, i, next_tick)) {
      woken.push_back(requester_host);
    }
  }

  Terminals terminals_;
  std::unique_ptr<Pattern> pattern_;
  std::uint32_t window_;
  std::uint32_t request_bytes_, response_bytes_;
  std::uint32_t request_packets_, response_packets_;
  double think_;  // mean, in ticks
  std::uint64_t limit_;
  std::vector<Requester> requesters_;  // per terminal
  std::vector<Slot> slots_;            // [terminal][number in its window]
};

}  // namespace

std::unique_ptr<Traffic> closed_loop(const TrafficSpec& spec, const Terminals& terminals,
                                     const Model& model, std::unique_ptr<Pattern> pattern,
                                     std::uint64_t seed) {
  if (std::uint64_t{terminals.count()} * spec.window > kMaxSlots)
    throw bad_value(
        "window", spec.window,
        fmt::format("at most {}, or simulate fewer hosts", kMaxSlots / terminals.count()));
  check_between("think_ns", spec.think_ns, 0, 1e12);
  return std::make_unique<ClosedLoop>(spec, terminals, model, std::move(pattern), seed);
}

}  // namespace selvedge::sim
