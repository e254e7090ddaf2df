// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// hot-spot: a share of each host's messages goes to the hot spots with equal probability, the rest
// to any other host (Gómez 2007 §5.2.1). The only hot spot itself sends to any other host.
#include "sim/traffic/checks.hpp"
#include "sim/traffic/hot_spots.hpp"
#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class HotSpot final : public Pattern {
 public:
  HotSpot(End count, std::vector<End> spots, double share)
      : count_(count), spots_(std::move(spots)), place_(count, kNoEnd), share_(share) {
    for (End i = 0; i < spots_.size(); ++i) place_[spots_[i]] = i;
  }

  End to(End from, std::uint64_t /*number*/, Stream& chance) override {
    if (!chance.chance(share_)) return any_but(from, count_, chance);
    const auto spots = static_cast<End>(spots_.size());
    if (place_[from] == kNoEnd) return spots_[chance.below(spots)];
    if (spots == 1) return any_but(from, count_, chance);
    return spots_[any_but(place_[from], spots, chance)];
  }

 private:
  End count_;
  std::vector<End> spots_, place_;
  double share_;
};

}  // namespace

std::unique_ptr<Pattern> hot_spot(const Ends& ends, const TrafficSpec& spec, std::uint64_t seed) {
  check_between("hot_share", spec.hot_share, 0, 1);
  Stream chance = stream_of(seed, Chance::kHotSpots);
  return std::make_unique<HotSpot>(ends.count(), hot_spots(ends, spec, chance), spec.hot_share);
}

}  // namespace selvedge::sim
