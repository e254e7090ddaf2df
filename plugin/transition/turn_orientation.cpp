// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/turn_orientation.hpp"

namespace selvedge::transition {

std::optional<std::vector<std::uint32_t>> orientation_heights(
    const Fabric& fabric,
    const std::function<bool(SwitchId s, std::size_t in, std::size_t out)>& made) {
  constexpr std::uint32_t kStays = UINT32_MAX;
  std::vector<std::uint32_t> height(fabric.num_switches(), kStays);
  // Per switch: the turns in use through it between two switches that remain.
  std::vector<std::uint32_t> between(fabric.num_switches(), 0);
  // Turns over a cable from a switch to itself do not count: a switch is not lower than itself.
  const auto counts = [&](SwitchId a, SwitchId s) { return a != s && height[a] == kStays; };
  const auto each_turn = [&](SwitchId s, auto f) {
    const auto out = fabric.out(s);
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t o = 0; o < out.size(); ++o)
        if (i != o && made(s, i, o)) f(fabric.target(out[i]), fabric.target(out[o]));
  };
  std::vector<SwitchId> lowest;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    each_turn(s, [&](SwitchId a, SwitchId b) { between[s] += counts(a, s) && counts(b, s); });
    if (between[s] == 0) lowest.push_back(s);
  }
  std::vector<SwitchId> around;
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    const SwitchId gone = lowest[i];
    around.clear();
    for (const Channel c : fabric.out(gone)) {
      const SwitchId s = fabric.target(c);
      if (height[s] != kStays || between[s] == 0) continue;
      bool seen = false;
      for (const SwitchId other : around) seen |= other == s;
      if (!seen) around.push_back(s);
    }
    for (const SwitchId s : around)
      each_turn(s, [&](SwitchId a, SwitchId b) {
        if ((a == gone || b == gone) && counts(a, s) && counts(b, s) && --between[s] == 0)
          lowest.push_back(s);
      });
    height[gone] = static_cast<std::uint32_t>(i);
  }
  if (lowest.size() != fabric.num_switches()) return std::nullopt;
  return height;
}

}  // namespace selvedge::transition
