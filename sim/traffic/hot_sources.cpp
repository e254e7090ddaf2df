// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// hot-sources: a share of the hosts, drawn by the seed, send only to the hot spot; every other host
// sends to any host but itself. Montañana 2008 §7.2.3 calls this pattern hotspot, with a tenth of
// the sources and one hot spot. With several hot spots the drawn sources are assigned to them in
// turn. A hot spot itself is never drawn.
#include <algorithm>
#include <cmath>

#include "sim/traffic/checks.hpp"
#include "sim/traffic/hot_spots.hpp"
#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class HotSources final : public Pattern {
 public:
  HotSources(Terminal count, std::vector<Terminal> only) : count_(count), only_(std::move(only)) {}

  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& chance) override {
    return only_[from] != kNoTerminal ? only_[from] : uniform_except(from, count_, chance);
  }

 private:
  Terminal count_;
  std::vector<Terminal> only_;  // per terminal: its only destination; kNoTerminal: any
};

}  // namespace

std::unique_ptr<Pattern> hot_sources(const Terminals& terminals, const TrafficSpec& spec,
                                     std::uint64_t seed) {
  check_between("hot_sources", spec.hot_sources, 0, 1);
  Stream chance = stream_of(seed, StreamUse::kHotSpots);
  const std::vector<Terminal> spots = hot_spots(terminals, spec, chance);
  std::vector<Terminal> others;
  for (Terminal e = 0; e < terminals.count(); ++e)
    if (std::find(spots.begin(), spots.end(), e) == spots.end()) others.push_back(e);
  const auto wanted = static_cast<std::size_t>(std::lround(spec.hot_sources * terminals.count()));
  const std::size_t count = std::min(wanted, others.size());
  std::vector<Terminal> only(terminals.count(), kNoTerminal);
  const std::vector<Terminal> sources = draw_distinct(std::move(others), count, chance);
  for (std::size_t i = 0; i < sources.size(); ++i) only[sources[i]] = spots[i % spots.size()];
  return std::make_unique<HotSources>(terminals.count(), std::move(only));
}

}  // namespace selvedge::sim
