// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>

#include "sim/traffic/collectives.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/partial_messages.hpp"

namespace selvedge::sim {
namespace {

class AllToAll final : public Traffic {
 public:
  AllToAll(const TrafficSpec& spec, const Terminals& terminals, const Model& model)
      : terminals_(terminals),
        bytes_(spec.payload_bytes),
        packets_(packets_of(spec.payload_bytes, model)),
        rounds_(spec.rounds == 0 ? UINT64_MAX : spec.rounds),
        per_host_(terminals.count() - 1),
        window_(std::min(spec.window, per_host_)),
        senders_(terminals.count()) {
    begin_round(0);
  }

  bool wants_deliveries() const override { return true; }

  Message next(HostId from) override {
    const Terminal e = terminals_.of(from);
    if (e == kNoTerminal) return {};
    Sender& sender = senders_[e];
    if (sender.sent == per_host_ || sender.free.empty()) {
      sender.waits = true;
      return {};
    }
    const Tick at = sender.free.front();
    if (window_ > 0) sender.free.erase(sender.free.begin());
    ++sender.sent;
    const Terminal to =
        static_cast<Terminal>((std::uint64_t{e} + sender.sent) % terminals_.count());
    return {.at = at, .to = terminals_.host(to), .bytes = bytes_, .tag = sender.sent};
  }

  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    const Tick next_tick = packet.delivered + 1;
    if (window_ > 0) {
      Sender& sender = senders_[terminals_.of(packet.from)];
      if (sender.partial.add_packet(packet.tag, packets_)) {
        sender.free.push_back(next_tick);
        wake(sender, packet.from, woken);
      }
    }
    if (--packets_left_ > 0 || ++round_ == rounds_) return;
    begin_round(next_tick);
    for (Terminal e = 0; e < terminals_.count(); ++e) wake(senders_[e], terminals_.host(e), woken);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    delivered(packet, woken);
  }

 private:
  struct Sender {
    std::uint32_t sent = 0;  // messages of this round that the network has taken
    bool waits = false;      // next() returned no message
    std::vector<Tick> free;  // per message that the window still allows: since when; ascending
    PartialMessages partial;
  };

  static void wake(Sender& sender, HostId host, std::vector<HostId>& woken) {
    if (!sender.waits) return;
    sender.waits = false;
    woken.push_back(host);
  }

  void begin_round(Tick now) {
    packets_left_ = std::uint64_t{terminals_.count()} * per_host_ * packets_;
    for (Sender& sender : senders_) {
      sender.sent = 0;
      sender.free.assign(std::max(window_, 1u), now);
    }
  }

  Terminals terminals_;
  std::uint32_t bytes_, packets_;
  std::uint64_t rounds_;
  std::uint32_t per_host_;
  std::uint32_t window_;  // 0 = no window: all messages at once
  std::uint64_t round_ = 0, packets_left_ = 0;
  std::vector<Sender> senders_;  // per terminal
};

}  // namespace

std::unique_ptr<Traffic> all_to_all(const TrafficSpec& spec, const Terminals& terminals,
                                    const Model& model) {
  return std::make_unique<AllToAll>(spec, terminals, model);
}

}  // namespace selvedge::sim
