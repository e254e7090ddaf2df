// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns the differences from a regular form into advice for an operator. A cable that the form does
// not have, or that is beyond the usual number between two switches, was probably meant as a
// missing one. So it is paired with a missing cable at one of its ends. Two cables whose ends were
// exchanged give two such pairs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge::regularity {
namespace {

/// The cables beyond the usual number between two switches; the most frequent number counts as
/// usual.
std::vector<Channel> doubled(const Fabric& fabric) {
  std::map<Pair, std::vector<Channel>> bundles;
  for (const Channel c : fabric.links()) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (a != b) bundles[{std::min(a, b), std::max(a, b)}].push_back(c);
  }
  std::map<std::size_t, std::size_t> frequency;
  for (const auto& [pair, cables] : bundles) ++frequency[cables.size()];
  std::size_t usual = 0, most = 0;
  for (const auto& [size, times] : frequency)
    if (times > most) usual = size, most = times;
  std::vector<Channel> beyond;
  for (const auto& [pair, cables] : bundles)
    for (std::size_t i = usual; i < cables.size(); ++i) beyond.push_back(cables[i]);
  return beyond;
}

}  // namespace

std::vector<std::size_t> fill_gaps(const Fabric& fabric, const std::vector<Channel>& loose,
                                   const std::vector<Pair>& missing) {
  const auto ends = [&](Channel c) { return Pair{fabric.switch_of(c), fabric.target(c)}; };
  const auto meet = [&](Channel c, const Pair& gap) {
    const auto [a, b] = ends(c);
    return a == gap.first || a == gap.second || b == gap.first || b == gap.second;
  };
  // Per loose cable: missing cables that it could be
  std::vector<std::vector<std::size_t>> gaps(loose.size());
  std::vector<unsigned> wanted(missing.size(), 0);
  for (std::size_t i = 0; i < loose.size(); ++i)
    for (std::size_t g = 0; g < missing.size(); ++g)
      if (meet(loose[i], missing[g])) gaps[i].push_back(g), ++wanted[g];

  // Cables with the fewest choices are assigned first; of equal ones, surplus cables before doubled
  // ones.
  std::vector<std::size_t> filled(loose.size(), SIZE_MAX);
  while (true) {
    std::size_t best = SIZE_MAX, gap = 0, choices = SIZE_MAX;
    for (std::size_t i = 0; i < loose.size(); ++i) {
      if (filled[i] != SIZE_MAX) continue;
      for (const std::size_t g : gaps[i]) {
        const std::size_t open = std::min<std::size_t>(gaps[i].size(), wanted[g]);
        if (open < choices) best = i, gap = g, choices = open;
      }
    }
    if (best == SIZE_MAX) break;
    filled[best] = gap;
    for (const std::size_t g : gaps[best]) --wanted[g];
    for (auto& list : gaps) std::erase(list, gap);
  }
  return filled;
}

std::string cable_name(const Fabric& fabric, Channel c) {
  return fmt::format("cable {} – {}", fabric.port_name(c), fabric.port_name(fabric.peer(c)));
}

std::string should_go(const Fabric& fabric, Channel c, const Pair& gap) {
  const auto [x, y] = gap;
  const SwitchId a = fabric.switch_of(c);
  const bool near = a == x || a == y;  // whether the first end is right; then the other end moves
  const SwitchId stays = near ? a : fabric.target(c);
  return fmt::format("{}: {} should go to {}", cable_name(fabric, c),
                     fabric.port_name(near ? c : fabric.peer(c)),
                     fabric.node(stays == x ? y : x).name);
}

std::vector<std::string> suspect(const Fabric& fabric, const Regularity& form) {
  std::vector<std::string> lines;
  if (!form.regular()) return lines;
  std::vector<Channel> loose = form.surplus;
  if (!form.missing.empty()) {
    const std::vector<Channel> more = doubled(fabric);
    loose.insert(loose.end(), more.begin(), more.end());
  }
  const std::vector<std::size_t> filled = fill_gaps(fabric, loose, form.missing);
  for (std::size_t i = 0; i < loose.size(); ++i) {
    if (filled[i] != SIZE_MAX) {
      lines.push_back(should_go(fabric, loose[i], form.missing[filled[i]]));
    } else if (i < form.surplus.size()) {
      lines.push_back(fmt::format("{}: has no place in a {}", cable_name(fabric, loose[i]), [&] {
        Regularity bare = form;
        bare.missing_links = bare.missing_switches = 0;
        bare.surplus.clear();
        return bare.describe();
      }()));
    }
  }
  return lines;
}

}  // namespace selvedge::regularity
