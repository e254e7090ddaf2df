// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <deque>

#include "sim/traffic/collectives.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/partial_messages.hpp"

namespace selvedge::sim {
namespace {

class RingAllreduce final : public Traffic {
 public:
  RingAllreduce(const TrafficSpec& spec, const Terminals& terminals, const Model& model)
      : terminals_(terminals),
        bytes_(spec.payload_bytes),
        packets_(packets_of(spec.payload_bytes, model)),
        rounds_(spec.rounds == 0 ? UINT64_MAX : spec.rounds),
        steps_(2 * (terminals.count() - 1)),
        members_(terminals.count()) {
    begin_round(0);
  }

  bool wants_deliveries() const override { return true; }

  Message next(HostId from) override {
    const Terminal e = terminals_.of(from);
    if (e == kNoTerminal) return {};
    Member& member = members_[e];
    if (member.sent == steps_ || member.allowed.empty()) {
      member.waits = true;
      return {};
    }
    const Tick at = member.allowed.front();
    member.allowed.pop_front();
    return {.at = at, .to = terminals_.host(after(e)), .bytes = bytes_, .tag = ++member.sent};
  }

  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    const Terminal e = after(terminals_.of(packet.from));
    if (!members_[e].partial.add_packet(packet.tag, packets_)) return;
    const Tick next_tick = packet.delivered + 1;
    if (--left_ > 0) {
      members_[e].allowed.push_back(next_tick);
      wake(e, woken);
    } else if (++round_ < rounds_) {
      begin_round(next_tick);
      for (Terminal each = 0; each < terminals_.count(); ++each) wake(each, woken);
    }
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    delivered(packet, woken);
  }

 private:
  struct Member {
    std::uint32_t sent = 0;    // messages of this round that the network has taken
    bool waits = false;        // next() returned no message
    std::deque<Tick> allowed;  // the ticks from which it may send its next messages
    PartialMessages partial;   // messages that it is receiving
  };

  Terminal after(Terminal e) const { return e + 1 == terminals_.count() ? 0 : e + 1; }

  void wake(Terminal e, std::vector<HostId>& woken) {
    if (!members_[e].waits) return;
    members_[e].waits = false;
    woken.push_back(terminals_.host(e));
  }

  void begin_round(Tick now) {
    left_ = std::uint64_t{terminals_.count()} * steps_;
    for (Member& member : members_) {
      member.sent = 0;
      member.allowed.assign(1, now);
    }
  }

  Terminals terminals_;
  std::uint32_t bytes_, packets_;
  std::uint64_t rounds_;
  std::uint32_t steps_;
  std::vector<Member> members_;  // per terminal
  std::uint64_t round_ = 0;
  std::uint64_t left_ = 0;  // messages of this round that have not arrived
};

}  // namespace

std::unique_ptr<Traffic> ring_allreduce(const TrafficSpec& spec, const Terminals& terminals,
                                        const Model& model) {
  return std::make_unique<RingAllreduce>(spec, terminals, model);
}

}  // namespace selvedge::sim
