// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/hot_spots.hpp"

#include <algorithm>
#include <numeric>

#include "plugin/fabric/naming.hpp"
#include "sim/traffic/checks.hpp"

namespace selvedge::sim {

std::vector<End> draw(std::vector<End> from, std::size_t count, Stream& chance) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(from[i], from[i + chance.below(static_cast<std::uint32_t>(from.size() - i))]);
  from.resize(count);
  return from;
}

std::vector<End> hot_spots(const Ends& ends, const TrafficSpec& spec, Stream& chance) {
  if (spec.hot_hosts.empty()) {
    if (spec.hot_spots < 1 || spec.hot_spots > ends.count())
      throw bad_value(
          "hot_spots", spec.hot_spots,
          fmt::format("a number from 1 to {}, as many hosts as there are", ends.count()));
    std::vector<End> all(ends.count());
    std::iota(all.begin(), all.end(), 0);
    return draw(std::move(all), spec.hot_spots, chance);
  }
  std::vector<End> named;
  for (const std::string& name : spec.hot_hosts) {
    const HostId h = name_host(ends.fabric(), name);
    const End e = h == kNoHost ? kNoEnd : ends.end(h);
    if (e == kNoEnd) throw bad_value("hot_hosts", "'" + name + "'", "names of attached hosts");
    if (std::find(named.begin(), named.end(), e) != named.end())
      throw bad_value("hot_hosts", "'" + name + "' twice", "every name once");
    named.push_back(e);
  }
  return named;
}

}  // namespace selvedge::sim
