// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <deque>

#include "sim/traffic/collectives.hpp"
#include "sim/traffic/flights.hpp"
#include "sim/traffic/packets.hpp"

namespace selvedge::sim {
namespace {

class RingAllreduce final : public Traffic {
 public:
  RingAllreduce(const TrafficSpec& spec, const Ends& ends, const Model& model)
      : ends_(ends),
        bytes_(spec.payload_bytes),
        packets_(packets_of(spec.payload_bytes, model)),
        rounds_(spec.rounds == 0 ? UINT64_MAX : spec.rounds),
        steps_(2 * (ends.count() - 1)),
        members_(ends.count()) {
    begin_round(0);
  }

  bool listens() const override { return true; }

  Message next(HostId from) override {
    const End e = ends_.end(from);
    if (e == kNoEnd) return {};
    Member& member = members_[e];
    if (member.sent == steps_ || member.allowed.empty()) {
      member.waits = true;
      return {};
    }
    const Tick at = member.allowed.front();
    member.allowed.pop_front();
    return {.at = at, .to = ends_.host(after(e)), .bytes = bytes_, .tag = ++member.sent};
  }

  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    const End e = after(ends_.end(packet.from));
    if (!members_[e].flights.landed(packet.tag, packets_)) return;
    const Tick soon = packet.delivered + 1;
    if (--left_ > 0) {
      members_[e].allowed.push_back(soon);
      wake(e, woken);
    } else if (++round_ < rounds_) {
      begin_round(soon);
      for (End each = 0; each < ends_.count(); ++each) wake(each, woken);
    }
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    delivered(packet, woken);
  }

 private:
  struct Member {
    std::uint32_t sent = 0;    // of this round
    bool waits = false;        // next() returned no message
    std::deque<Tick> allowed;  // when its next steps may be taken
    Flights flights;           // of the messages that it receives
  };

  End after(End e) const { return e + 1 == ends_.count() ? 0 : e + 1; }

  void wake(End e, std::vector<HostId>& woken) {
    if (!members_[e].waits) return;
    members_[e].waits = false;
    woken.push_back(ends_.host(e));
  }

  void begin_round(Tick now) {
    left_ = std::uint64_t{ends_.count()} * steps_;
    for (Member& member : members_) {
      member.sent = 0;
      member.allowed.assign(1, now);
    }
  }

  Ends ends_;
  std::uint32_t bytes_, packets_;
  std::uint64_t rounds_;
  std::uint32_t steps_;
  std::vector<Member> members_;  // per end
  std::uint64_t round_ = 0;
  std::uint64_t left_ = 0;  // messages of this round that have not arrived
};

}  // namespace

std::unique_ptr<Traffic> ring_allreduce(const TrafficSpec& spec, const Ends& ends,
                                        const Model& model) {
  return std::make_unique<RingAllreduce>(spec, ends, model);
}

}  // namespace selvedge::sim
