// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <utility>

#include "sim/traffic/checks.hpp"
#include "sim/traffic/outbox.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/trace.hpp"

namespace selvedge::sim {

void Trace::add(const TraceMessage& message, std::span<const std::uint32_t> waits) {
  messages.push_back(message);
  after.insert(after.end(), waits.begin(), waits.end());
  after_first.push_back(static_cast<std::uint32_t>(after.size()));
}

namespace {

class Replay final : public Traffic {
 public:
  Replay(Trace trace, const Fabric& fabric, const Model& model, double time_compression)
      : trace_(std::move(trace)),
        time_base_(model.time_base),
        compression_(time_compression),
        state_(trace_.messages.size()),
        outboxes_(fabric.num_hosts()) {
    const std::size_t count = trace_.messages.size();
    first_waiter_.assign(count + 1, 0);
    for (const std::uint32_t before : trace_.after) ++first_waiter_[before + 1];
    for (std::size_t i = 0; i < count; ++i) first_waiter_[i + 1] += first_waiter_[i];
    waiters_.resize(trace_.after.size());
    std::vector<std::uint32_t> next(first_waiter_.begin(), first_waiter_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const std::uint32_t before : trace_.waits_for(i)) waiters_[next[before]++] = i;
      state_[i].waits_for = static_cast<std::uint32_t>(trace_.waits_for(i).size());
      state_[i].packets_left = packets_of(trace_.messages[i].bytes, model);
    }
    for (std::uint32_t i = 0; i < count; ++i)
      if (state_[i].waits_for == 0) plan(i);
  }

  bool wants_deliveries() const override { return !trace_.after.empty(); }
  bool sends_management() const override {
    return std::ranges::any_of(trace_.messages, &TraceMessage::management);
  }

  Message next(HostId from) override { return outboxes_[from].next(); }
  void put_back(HostId from) override { outboxes_[from].put_back(); }

  void delivered(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, false, woken);
  }
  void lost(const Delivery& packet, std::vector<HostId>& woken) override {
    arrived(packet, true, woken);
  }

 private:
  struct State {
    Tick begin = 0;  // the tick from which TraceMessage::time_ns is counted
    std::uint32_t waits_for = 0, packets_left = 1;
    bool failed = false;
  };

  /// No message is planned later, so that adding long times cannot overflow.
  static constexpr Tick kMaxTicks = Tick{1} << 62;

  bool plan(std::uint32_t i) {
    const TraceMessage& message = trace_.messages[i];
    const Tick wait = time_base_.at(message.time_ns / compression_);
    const Tick at = std::min(state_[i].begin, kMaxTicks - wait) + wait;
    return outboxes_[message.from].plan({.at = at,
                                         .to = message.to,
                                         .bytes = message.bytes,
                                         .tag = i,
                                         .management = message.management});
  }

  void arrived(const Delivery& packet, bool was_lost, std::vector<HostId>& woken) {
    State& state = state_[packet.tag];
    state.failed |= was_lost;
    if (--state.packets_left > 0 || state.failed) return;
    for (std::uint32_t w = first_waiter_[packet.tag]; w < first_waiter_[packet.tag + 1]; ++w) {
      const std::uint32_t i = waiters_[w];
      if (--state_[i].waits_for > 0) continue;
      state_[i].begin = packet.delivered + 1;
      if (plan(i)) woken.push_back(trace_.messages[i].from);
    }
  }

  Trace trace_;
  TimeBase time_base_;
  double compression_;
  std::vector<State> state_;                           // per message
  std::vector<std::uint32_t> first_waiter_, waiters_;  // those waiting for i, as Trace::after
  std::vector<Outbox> outboxes_;                       // per host
};

}  // namespace

std::unique_ptr<Traffic> replay(Trace trace, const Fabric& fabric, const Model& model,
                                double time_compression) {
  check_between("time_compression", time_compression, 1e-6, 1e9);
  for (const TraceMessage& message : trace.messages)
    if (message.time_ns / time_compression > kMaxTraceTimeNs)
      throw bad_value("time_compression", time_compression,
                      "a larger number: times of the trace become more than 11 days");
  return std::make_unique<Replay>(std::move(trace), fabric, model, time_compression);
}

}  // namespace selvedge::sim
