// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How much the sources wanted to send. A host whose queue is full asks for its next message late,
// so what it has asked for says what the network took and not what was offered. But each message
// says when it was due: a host that handed out B bytes up to the one that was due at t offers B /
// t, and how far t lies behind the clock is how far the host has fallen behind.
#pragma once

#include <vector>

#include "sim/model/model.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// Passes everything on to the traffic, which must outlive it.
class Offered final : public Traffic {
 public:
  Offered(Traffic& traffic, const Model& model, std::uint32_t hosts)
      : traffic_(traffic), mtu_(model.mtu_bytes), header_(model.header_bytes), sources_(hosts) {}

  Message next(HostId from) override {
    const Message message = traffic_.next(from);
    Source& source = sources_[from];
    source.bytes += source.pending;
    source.pending = message.at == kNever ? 0 : wire_bytes(message.bytes);
    source.due = message.at;
    return message;
  }
  void give_back(HostId from) override {
    sources_[from].pending = 0;
    traffic_.give_back(from);
  }
  bool listens() const override { return traffic_.listens(); }
  void delivered(const Delivery& delivery, std::vector<HostId>& woken) override {
    traffic_.delivered(delivery, woken);
  }
  void lost(const Delivery& delivery, std::vector<HostId>& woken) override {
    traffic_.lost(delivery, woken);
  }

  /// Bytes on the wire that were due by now, of all hosts.
  double due(Tick now) const {
    double sum = 0;
    for (const Source& s : sources_) {
      const auto bytes = static_cast<double>(s.bytes);
      const bool late = s.due < now && s.due > 0;
      sum += late ? bytes * static_cast<double>(now) / static_cast<double>(s.due) : bytes;
    }
    return sum;
  }
  /// Hosts whose next message is overdue.
  std::uint32_t late(Tick now) const {
    std::uint32_t hosts = 0;
    for (const Source& s : sources_) hosts += s.due < now ? 1 : 0;
    return hosts;
  }

 private:
  struct Source {
    std::uint64_t bytes = 0;    // of the messages before the one that is pending
    std::uint64_t pending = 0;  // of that one
    Tick due = kNever;
  };
  std::uint64_t wire_bytes(std::uint32_t payload) const {
    const std::uint64_t packets = payload == 0 ? 1 : (payload + std::uint64_t{mtu_} - 1) / mtu_;
    return payload + packets * header_;
  }

  Traffic& traffic_;
  unsigned mtu_, header_;
  std::vector<Source> sources_;
};

}  // namespace selvedge::sim
