// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The offered load: how much the sources try to send. A host whose queue is full takes its next
// message late, so the messages taken show the accepted load, not the offered one. But each message
// has a due time (Message::at). If the messages that a host takes before the one due at t have B
// bytes, the host offers B / t. The present time minus t is how far the host has fallen behind.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"
#include "sim/model/traffic.hpp"
#include "sim/traffic/class_traffic.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// Whether the sources send at a given rate for ever, so that an offered load is defined. It is not
/// for closed loops, which send as fast as they are answered, nor for collectives, traces and
/// limited sources, which send a fixed amount.
inline bool has_offered_rate(const TrafficSpec& spec) {
  constexpr std::array<std::string_view, 4> kWithout{"all-to-all", "ring-allreduce", "trace", "io"};
  return spec.window == 0 && spec.messages_per_host == 0 &&
         std::ranges::find(kWithout, spec.pattern) == kWithout.end();
}

/// Measures the offered load of a Traffic and forwards all calls to it. The traffic and the model
/// must outlive this object.
class OfferedLoad final : public Traffic {
 public:
  /// `classes`: the traffic, if it has classes.
  OfferedLoad(Traffic& traffic, const Model& model, std::uint32_t hosts,
              const ClassTraffic* classes = nullptr)
      : traffic_(traffic),
        classes_(classes),
        model_(model),
        queues_(std::max(1U, model.hca_queues)),
        sources_(std::size_t{hosts} * queues_) {}

  Message next(HostId from) override {
    return note(from, traffic_.next(from), sources_[std::size_t{from} * queues_]);
  }
  Message next_of(HostId from, unsigned queue) override {
    return note(from, traffic_.next_of(from, queue), sources_[std::size_t{from} * queues_ + queue]);
  }
  void prefetch(HostId from) const override { traffic_.prefetch(from); }
  bool sends_management() const override { return traffic_.sends_management(); }
  bool sends_multicast() const override { return traffic_.sends_multicast(); }
  void put_back(HostId from) override {
    sources_[std::size_t{from} * queues_].pending = 0;
    traffic_.put_back(from);
  }
  void put_back_of(HostId from, unsigned queue) override {
    sources_[std::size_t{from} * queues_ + queue].pending = 0;
    traffic_.put_back_of(from, queue);
  }
  bool inspects_management() const override { return traffic_.inspects_management(); }
  Lid inspect(SwitchId at, PortNum out, const Delivery& d) override {
    return traffic_.inspect(at, out, d);
  }
  bool wants_deliveries() const override { return traffic_.wants_deliveries(); }
  void delivered(const Delivery& delivery, std::vector<HostId>& woken) override {
    traffic_.delivered(delivery, woken);
  }
  void lost(const Delivery& delivery, std::vector<HostId>& woken) override {
    traffic_.lost(delivery, woken);
  }

  /// For each host, the bytes on the wire that it has tried to send by now: B / t · now if it has
  /// fallen behind, else B.
  std::vector<double> due(Tick now) const {
    std::vector<double> bytes(sources_.size() / queues_);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Source& s = sources_[i];
      auto sent = static_cast<double>(s.bytes);
      if (s.due < now && s.due > 0) sent *= static_cast<double>(now) / static_cast<double>(s.due);
      bytes[i / queues_] += sent;
    }
    return bytes;
  }
  /// Whether this host's next message is overdue.
  bool overdue(HostId host, Tick now) const {
    const auto first = sources_.begin() + static_cast<std::ptrdiff_t>(std::size_t{host} * queues_);
    return std::any_of(first, first + queues_, [now](const Source& s) { return s.due < now; });
  }

 private:
  struct Source {
    std::uint64_t bytes = 0;    // on the wire, of the messages before the pending one
    std::uint64_t pending = 0;  // on the wire, of the pending message: the one next() gave last
    Tick due = kNever;          // when the pending message is due
  };

  /// A message to a group counts once for each member: so many packets are to be delivered.
  Message note(HostId from, const Message& message, Source& source) {
    source.bytes += source.pending;
    source.pending = message.at == kNever ? 0 : wire_bytes(message.bytes, model_);
    if (classes_ != nullptr) source.pending *= classes_->receivers(from, message);
    source.due = message.at;
    return message;
  }

  Traffic& traffic_;
  const ClassTraffic* classes_;
  const Model& model_;
  unsigned queues_;              // of a host
  std::vector<Source> sources_;  // [host][queue]
};

}  // namespace selvedge::sim
