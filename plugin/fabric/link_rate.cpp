// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/link_rate.hpp"

#include <algorithm>
#include <array>

namespace selvedge {

std::span<const RateCode> rate_codes() {
  static constexpr std::array<RateCode, 23> kCodes{
      {{2.5, 2},  {5, 5},    {10, 3},   {14, 11},  {20, 6},   {25, 15},  {28, 19},  {30, 4},
       {40, 7},   {50, 20},  {56, 12},  {60, 8},   {80, 9},   {100, 16}, {112, 13}, {120, 10},
       {168, 14}, {200, 17}, {300, 18}, {400, 21}, {600, 22}, {800, 23}, {1200, 24}}};
  static_assert(std::ranges::is_sorted(kCodes, {}, &RateCode::gbps));
  return kCodes;
}

double nominal_gbps(LinkRate rate) {
  // Per lane, by the index in kLinkSpeeds, as the IBTA rounds them in its codes.
  static constexpr std::array<double, std::size(kLinkSpeeds)> kPerLane{0,  2.5, 5,  10,  10,
                                                                       14, 25,  50, 100, 200};
  return rate.speed < kPerLane.size() ? rate.lanes * kPerLane[rate.speed] : 0;
}

unsigned code_of_rate(double gbps) {
  const auto known = std::ranges::find(rate_codes(), gbps, &RateCode::gbps);
  return known == rate_codes().end() ? 0 : known->code;
}

}  // namespace selvedge
