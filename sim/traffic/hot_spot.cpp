// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// hot-spot: a share of each host's messages goes to the hot spots with equal probability, the rest
// to any other host (Gómez 2007 §5.2.1). If there is only one hot spot, it sends all its messages
// to any other host.
#include "sim/traffic/checks.hpp"
#include "sim/traffic/hot_spots.hpp"
#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

class HotSpot final : public Pattern {
 public:
  HotSpot(Terminal count, std::vector<Terminal> spots, double share)
      : count_(count), spots_(std::move(spots)), place_(count, kNoTerminal), share_(share) {
    for (Terminal i = 0; i < spots_.size(); ++i) place_[spots_[i]] = i;
  }

  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& chance) override {
    if (!chance.chance(share_)) return uniform_except(from, count_, chance);
    const auto spots = static_cast<Terminal>(spots_.size());
    if (place_[from] == kNoTerminal) return spots_[chance.below(spots)];
    if (spots == 1) return uniform_except(from, count_, chance);
    return spots_[uniform_except(place_[from], spots, chance)];
  }

 private:
  Terminal count_;
  std::vector<Terminal> spots_, place_;
  double share_;
};

}  // namespace

std::unique_ptr<Pattern> hot_spot(const Terminals& terminals, const TrafficSpec& spec,
                                  std::uint64_t seed) {
  check_between("hot_share", spec.hot_share, 0, 1);
  Stream chance = stream_of(seed, StreamUse::kHotSpots);
  return std::make_unique<HotSpot>(terminals.count(), hot_spots(terminals, spec, chance),
                                   spec.hot_share);
}

}  // namespace selvedge::sim
