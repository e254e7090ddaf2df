// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/open_loop.hpp"

#include "sim/engine/fetch_line.hpp"
#include "sim/traffic/arrivals.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class OpenLoop final : public Traffic {
 public:
  OpenLoop(const TrafficSpec& spec, const Ends& ends, const Model& model,
           std::unique_ptr<Pattern> pattern, std::uint64_t seed)
      : ends_(ends),
        pattern_(std::move(pattern)),
        law_(ArrivalLaw::of(spec, wire_ticks(spec.payload_bytes, model))),
        bytes_(spec.payload_bytes),
        limit_(spec.messages_per_host == 0 ? UINT64_MAX : spec.messages_per_host) {
    sources_.reserve(ends.count());
    for (End e = 0; e < ends.count(); ++e)
      sources_.push_back({.arrivals = {},
                          .when = stream_of(seed, Chance::kArrivals, ends.host(e)),
                          .whom = stream_of(seed, Chance::kDestinations, ends.host(e))});
  }

  Message next(HostId from) override {
    const End e = ends_.end(from);
    if (e == kNoEnd) return {};
    Source& source = sources_[e];
    if (source.sent == limit_) return {};
    const End to = pattern_->to(e, source.sent, source.whom);
    if (to == kNoEnd) return {};
    ++source.sent;
    return {.at = source.arrivals.next(law_, source.when),
            .to = ends_.host(to),
            .bytes = bytes_,
            .tag = 0};
  }

  void fetch(HostId from) const override {
    const End e = ends_.end(from);
    if (e != kNoEnd) fetch_line(&sources_[e]);
  }

 private:
  struct alignas(64) Source {
    Arrivals arrivals;
    Stream when, whom;
    std::uint64_t sent = 0;
  };

  Ends ends_;
  std::unique_ptr<Pattern> pattern_;
  ArrivalLaw law_;
  std::uint32_t bytes_;
  std::uint64_t limit_;
  std::vector<Source> sources_;  // per end
};

}  // namespace

std::unique_ptr<Traffic> open_loop(const TrafficSpec& spec, const Ends& ends, const Model& model,
                                   std::unique_ptr<Pattern> pattern, std::uint64_t seed) {
  return std::make_unique<OpenLoop>(spec, ends, model, std::move(pattern), seed);
}

}  // namespace selvedge::sim
