// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// hot-sources: a share of the hosts, drawn by the seed, send only to the hot spot, the others to
// any other host. Montañana 2008 §7.2.3 calls it hotspot: a tenth of the sources, one hot spot.
// With several hot spots these sources are assigned to them in turn. Hot spots are not among these
// sources.
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
  HotSources(End count, std::vector<End> only) : count_(count), only_(std::move(only)) {}

  End to(End from, std::uint64_t /*number*/, Stream& chance) override {
    return only_[from] != kNoEnd ? only_[from] : any_but(from, count_, chance);
  }

 private:
  End count_;
  std::vector<End> only_;  // per end: its only destination; kNoEnd: any
};

}  // namespace

std::unique_ptr<Pattern> hot_sources(const Ends& ends, const TrafficSpec& spec,
                                     std::uint64_t seed) {
  check_between("hot_sources", spec.hot_sources, 0, 1);
  Stream chance = stream_of(seed, Chance::kHotSpots);
  const std::vector<End> spots = hot_spots(ends, spec, chance);
  std::vector<End> others;
  for (End e = 0; e < ends.count(); ++e)
    if (std::find(spots.begin(), spots.end(), e) == spots.end()) others.push_back(e);
  const auto wanted = static_cast<std::size_t>(std::lround(spec.hot_sources * ends.count()));
  const std::size_t count = std::min(wanted, others.size());
  std::vector<End> only(ends.count(), kNoEnd);
  const std::vector<End> sources = draw(std::move(others), count, chance);
  for (std::size_t i = 0; i < sources.size(); ++i) only[sources[i]] = spots[i % spots.size()];
  return std::make_unique<HotSources>(ends.count(), std::move(only));
}

}  // namespace selvedge::sim
