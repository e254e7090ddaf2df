// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/open_loop.hpp"

#include "base/prefetch_line.hpp"
#include "sim/traffic/arrivals.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class OpenLoop final : public Traffic {
 public:
  OpenLoop(const TrafficSpec& spec, const Terminals& terminals, const Model& model,
           std::unique_ptr<Pattern> pattern, std::uint64_t seed)
      : terminals_(terminals),
        pattern_(std::move(pattern)),
        process_(ArrivalProcess::of(spec, wire_ticks(spec.payload_bytes, model))),
        bytes_(spec.payload_bytes),
        limit_(spec.messages_per_host == 0 ? UINT64_MAX : spec.messages_per_host) {
    sources_.reserve(terminals.count());
    for (Terminal e = 0; e < terminals.count(); ++e)
      sources_.push_back({.arrivals = {},
                          .when = stream_of(seed, StreamUse::kArrivals, terminals.host(e)),
                          .whom = stream_of(seed, StreamUse::kDestinations, terminals.host(e))});
  }

  Message next(HostId from) override {
    const Terminal e = terminals_.of(from);
    if (e == kNoTerminal) return {};
    Source& source = sources_[e];
    if (source.sent == limit_) return {};
    const Terminal to = pattern_->to(e, source.sent, source.whom);
    if (to == kNoTerminal) return {};
    ++source.sent;
    return {.at = source.arrivals.next(process_, source.when),
            .to = terminals_.host(to),
            .bytes = bytes_,
            .tag = 0};
  }

  void prefetch(HostId from) const override {
    const Terminal e = terminals_.of(from);
    if (e != kNoTerminal) prefetch_line(&sources_[e]);
  }

 private:
  struct alignas(64) Source {
    Arrivals arrivals;
    Stream when, whom;
    std::uint64_t sent = 0;
  };

  Terminals terminals_;
  std::unique_ptr<Pattern> pattern_;
  ArrivalProcess process_;
  std::uint32_t bytes_;
  std::uint64_t limit_;
  std::vector<Source> sources_;  // per terminal
};

}  // namespace

std::unique_ptr<Traffic> open_loop(const TrafficSpec& spec, const Terminals& terminals,
                                   const Model& model, std::unique_ptr<Pattern> pattern,
                                   std::uint64_t seed) {
  return std::make_unique<OpenLoop>(spec, terminals, model, std::move(pattern), seed);
}

}  // namespace selvedge::sim
