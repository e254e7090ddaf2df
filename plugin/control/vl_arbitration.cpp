// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/vl_arbitration.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

namespace selvedge {

std::vector<VlWeight> parse_vl_arbitration(std::string_view text) {
  std::vector<VlWeight> list;
  while (!text.empty()) {
    const std::string entry(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const std::size_t colon = entry.find(':');
    const unsigned long vl = std::strtoul(entry.c_str(), nullptr, 0);
    const unsigned long weight =
        colon == std::string::npos ? 0 : std::strtoul(entry.c_str() + colon + 1, nullptr, 0);
    list.push_back({static_cast<Vl>(vl % kMaxDataVls), static_cast<std::uint8_t>(weight)});
  }
  return list;
}

std::vector<VlWeight> spread(std::span<const VlWeight> list, const QosLevels& levels) {
  constexpr unsigned kMostWeight = 255;
  std::map<Vl, unsigned> weights;
  for (const VlWeight& entry : list) {
    const auto range = levels.vls_of(entry.vl);
    if (entry.weight == 0 || !range) continue;
    for (unsigned i = 0; i < range->count; ++i)
      weights[static_cast<Vl>(range->first + i)] += entry.weight;
  }
  std::vector<VlWeight> result;
  for (const auto& [vl, weight] : weights)
    result.push_back({vl, static_cast<std::uint8_t>(std::min(weight, kMostWeight))});
  return result;
}

}  // namespace selvedge
