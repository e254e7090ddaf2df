// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>

#include "sim/traffic/collectives.hpp"
#include "sim/traffic/flights.hpp"
#include "sim/traffic/packets.hpp"

namespace selvedge::sim {
namespace {

class AllToAll final : public Traffic {
 public:
  AllToAll(const TrafficSpec& spec, const Ends& ends, const Model& model)
      : ends_(ends),
        bytes_(spec.payload_bytes),
        packets_(packets_of(spec.payload_bytes, model)),
        rounds_(spec.rounds == 0 ? UINT64_MAX : spec.rounds),
        per_host_(ends.count() - 1),
        window_(std::min(spec.window, per_host_)),
        senders_(ends.count()) {
    begin_round(0);
  }

  bool listens() const override { return true; }

  Message next(HostId from) override {
    const End e = ends_.end(from);
    if (e == kNoEnd) return {};
    Sender& sender = senders_[e];
    if (sender.sent == per_host_ || sender.free.empty()) {
      sender.waits = true;
      return {};
    }
    const Tick at = sender.free.front();
    if (window_ > 0) sender.free.erase(sender.free.begin());
    ++sender.sent;
    const End to = static_cast<End>((std::uint64_t{e} + sender.sent) % ends_.count());
    return {.at = at, .to = ends_.host(to), .bytes = bytes_, .tag = sender.sent};
  }

  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    const Tick soon = packet.delivered + 1;
    if (window_ > 0) {
      Sender& sender = senders_[ends_.end(packet.from)];
      if (sender.flights.landed(packet.tag, packets_)) {
        sender.free.push_back(soon);
        wake(sender, packet.from, woken);
      }
    }
    if (--packets_left_ > 0 || ++round_ == rounds_) return;
    begin_round(soon);
    for (End e = 0; e < ends_.count(); ++e) wake(senders_[e], ends_.host(e), woken);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    delivered(packet, woken);
  }

 private:
  struct Sender {
    std::uint32_t sent = 0;  // of this round
    bool waits = false;      // next() returned no message
    std::vector<Tick> free;  // when each free place in the window became free; ascending
    Flights flights;
  };

  static void wake(Sender& sender, HostId host, std::vector<HostId>& woken) {
    if (!sender.waits) return;
    sender.waits = false;
    woken.push_back(host);
  }

  void begin_round(Tick now) {
    packets_left_ = std::uint64_t{ends_.count()} * per_host_ * packets_;
    for (Sender& sender : senders_) {
      sender.sent = 0;
      sender.free.assign(std::max(window_, 1u), now);
    }
  }

  Ends ends_;
  std::uint32_t bytes_, packets_;
  std::uint64_t rounds_;
  std::uint32_t per_host_;
  std::uint32_t window_;  // 0 = none
  std::uint64_t round_ = 0, packets_left_ = 0;
  std::vector<Sender> senders_;  // per end
};

}  // namespace

std::unique_ptr<Traffic> all_to_all(const TrafficSpec& spec, const Ends& ends, const Model& model) {
  return std::make_unique<AllToAll>(spec, ends, model);
}

}  // namespace selvedge::sim
