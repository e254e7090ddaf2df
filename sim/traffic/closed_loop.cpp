// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/closed_loop.hpp"

#include "sim/traffic/checks.hpp"
#include "sim/traffic/outbox.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

constexpr std::uint64_t kMaxPlaces = std::uint64_t{1} << 24;  // of all hosts: 1 GB

class ClosedLoop final : public Traffic {
 public:
  ClosedLoop(const TrafficSpec& spec, const Ends& ends, const Model& model,
             std::unique_ptr<Pattern> pattern, std::uint64_t seed)
      : ends_(ends),
        pattern_(std::move(pattern)),
        window_(spec.window),
        request_bytes_(spec.payload_bytes),
        response_bytes_(spec.response_bytes),
        request_packets_(packets_of(spec.payload_bytes, model)),
        response_packets_(packets_of(spec.response_bytes, model)),
        think_(static_cast<double>(model.tempo.at(spec.think_ns))),
        limit_(spec.messages_per_host == 0 ? UINT64_MAX : spec.messages_per_host),
        askers_(ends.count()) {
    const std::uint64_t places = std::uint64_t{ends.count()} * window_;
    places_.reserve(places);
    for (End e = 0; e < ends.count(); ++e)
      for (std::uint32_t i = 0; i < window_; ++i) {
        const std::uint64_t whose = std::uint64_t{ends.host(e)} << 32 | i;
        places_.push_back({.chance = stream_of(seed, Chance::kRequests, whose)});
        begin(e, i, 0);
      }
  }

  bool listens() const override { return true; }

  Message next(HostId from) override {
    const End e = ends_.end(from);
    if (e == kNoEnd) return {};
    Asker& asker = askers_[e];
    asker.sent += asker.handed_out ? 1 : 0;
    asker.handed_out = false;
    for (;;) {
      Message message = asker.outbox.next();
      if (message.at == kNever || message.tag % 2 != 0) return message;
      // The destination is drawn only now, and again if the request is returned by give_back(). A
      // pattern numbers requests in the order in which they leave.
      const std::uint32_t i = message.tag / 2;
      Stream chance(place(e, i).key, i);
      const End to = pattern_->to(e, asker.sent, chance);
      if (to == kNoEnd) continue;
      message.to = ends_.host(to);
      asker.handed_out = true;
      return message;
    }
  }
  void give_back(HostId from) override {
    Asker& asker = askers_[ends_.end(from)];
    asker.handed_out = false;
    asker.outbox.give_back();
  }
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, false, woken);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, true, woken);
  }

 private:
  // A request's tag is twice the place's number; its answer's is one more.
  struct Place {
    Stream chance;
    std::uint64_t key = 0;           // seeds the draw of its request's destination
    std::uint32_t packets_left = 0;  // of the request, then of its answer
    bool failed = false;
  };
  struct Asker {
    Outbox outbox;
    std::uint64_t begun = 0, sent = 0;  // requests planned; requests taken by the network
    bool handed_out = false;            // next() returned a request last
  };
  Place& place(End e, std::uint32_t i) { return places_[std::size_t{e} * window_ + i]; }

  /// Plans the place's next request; true if its host must be woken.
  bool begin(End e, std::uint32_t i, Tick now) {
    if (askers_[e].begun == limit_) return false;
    ++askers_[e].begun;
    Place& here = place(e, i);
    here.packets_left = request_packets_;
    here.failed = false;
    here.key = std::uint64_t{here.chance.bits()} << 32 | here.chance.bits();
    const Tick thought = think_ > 0 ? static_cast<Tick>(here.chance.exponential(think_)) : 0;
    return askers_[e].outbox.plan(
        {.at = now + thought, .to = kNoHost, .bytes = request_bytes_, .tag = 2 * i});
  }

  void arrived(const Delivery& packet, bool was_lost, std::vector<HostId>& woken) {
    const bool answer = packet.tag % 2 != 0;
    const std::uint32_t i = packet.tag / 2;
    const HostId asked_by = answer ? packet.to : packet.from;
    const HostId asked = answer ? packet.from : packet.to;
    const End e = ends_.end(asked_by);
    Place& here = place(e, i);
    here.failed |= was_lost;
    if (--here.packets_left > 0) return;
    const Tick soon = packet.delivered + 1;
    if (!answer && response_bytes_ > 0 && !here.failed) {
      here.packets_left = response_packets_;
      const Message response = {
          .at = soon, .to = asked_by, .bytes = response_bytes_, .tag = packet.tag + 1};
      if (askers_[ends_.end(asked)].outbox.plan(response)) woken.push_back(asked);
    } else if (begin(e, i, soon)) {
      woken.push_back(asked_by);
    }
  }

  Ends ends_;
  std::unique_ptr<Pattern> pattern_;
  std::uint32_t window_;
  std::uint32_t request_bytes_, response_bytes_;
  std::uint32_t request_packets_, response_packets_;
  double think_;  // mean, in ticks
  std::uint64_t limit_;
  std::vector<Asker> askers_;  // per end
  std::vector<Place> places_;  // per end, its window
};

}  // namespace

std::unique_ptr<Traffic> closed_loop(const TrafficSpec& spec, const Ends& ends, const Model& model,
                                     std::unique_ptr<Pattern> pattern, std::uint64_t seed) {
  if (std::uint64_t{ends.count()} * spec.window > kMaxPlaces)
    throw bad_value("window", spec.window,
                    fmt::format("at most {}, or simulate fewer hosts", kMaxPlaces / ends.count()));
  check_between("think_ns", spec.think_ns, 0, 1e12);
  return std::make_unique<ClosedLoop>(spec, ends, model, std::move(pattern), seed);
}

}  // namespace selvedge::sim
