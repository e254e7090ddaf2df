// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/around_cuts.hpp"

#include <algorithm>

#include "plugin/tables/paths.hpp"

namespace selvedge::sim {

std::vector<std::uint8_t> offsets_around(const Fabric& fabric, const Tables& tables,
                                         const std::vector<Channel>& cut) {
  std::vector<bool> broken(fabric.num_channels(), false);
  for (const Channel c : cut) {
    broken[c] = true;
    if (fabric.peer(c) != kNoChannel) broken[fabric.peer(c)] = true;
  }
  std::vector<std::uint8_t> offsets(std::size_t{fabric.num_switches()} * fabric.num_hosts(), 0);
  std::vector<std::uint32_t> load(fabric.num_channels(), 0);  // pairs routed over a channel so far
  DisjointPaths paths(fabric, tables);
  const auto intact = [&](unsigned offset) {
    return std::ranges::none_of(paths.channels(offset), [&](Channel c) { return broken[c]; });
  };
  const auto most = [&](unsigned offset) {
    std::uint32_t load_max = 0;
    for (const Channel c : paths.channels(offset)) load_max = std::max(load_max, load[c]);
    return load_max;
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.hosts_at(s).empty()) continue;
    for (HostId h = 0; h < fabric.num_hosts(); ++h) {
      if (!fabric.attached(h) || fabric.host(h).at == s) continue;
      const std::span<const unsigned> found = paths.find(s, h);  // shortest first
      const auto first = std::ranges::find_if(found, intact);
      if (first == found.end()) continue;
      unsigned best = *first;
      const std::size_t length = paths.channels(best).size();
      for (auto it = first + 1; it != found.end() && paths.channels(*it).size() == length; ++it)
        if (intact(*it) && most(*it) < most(best)) best = *it;
      for (const Channel c : paths.channels(best)) ++load[c];
      offsets[s * fabric.num_hosts() + h] = static_cast<std::uint8_t>(best);
    }
  }
  return offsets;
}

}  // namespace selvedge::sim
