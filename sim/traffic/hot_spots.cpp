// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/hot_spots.hpp"

#include <algorithm>
#include <numeric>

#include "plugin/fabric/naming.hpp"
#include "sim/traffic/checks.hpp"

namespace selvedge::sim {

std::vector<Terminal> draw_distinct(std::vector<Terminal> from, std::size_t count, Stream& chance) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(from[i], from[i + chance.below(static_cast<std::uint32_t>(from.size() - i))]);
  from.resize(count);
  return from;
}

std::vector<Terminal> hot_spots(const Terminals& terminals, const TrafficSpec& spec,
                                Stream& chance) {
  if (spec.hot_hosts.empty()) {
    if (spec.hot_spots < 1 || spec.hot_spots > terminals.count())
      throw bad_value(
          "hot_spots", spec.hot_spots,
          fmt::format("a number from 1 to {}, as many hosts as there are", terminals.count()));
    std::vector<Terminal> all(terminals.count());
    std::iota(all.begin(), all.end(), 0);
    return draw_distinct(std::move(all), spec.hot_spots, chance);
  }
  std::vector<Terminal> named;
  for (const std::string& name : spec.hot_hosts) {
    const HostId h = name_host(terminals.fabric(), name);
    const Terminal e = h == kNoHost ? kNoTerminal : terminals.of(h);
    if (e == kNoTerminal) throw bad_value("hot_hosts", "'" + name + "'", "names of attached hosts");
    if (std::find(named.begin(), named.end(), e) != named.end())
      throw bad_value("hot_hosts", "'" + name + "' twice", "every name once");
    named.push_back(e);
  }
  return named;
}

}  // namespace selvedge::sim
