// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/census.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

namespace selvedge::route {
namespace {

std::string rate_name(LinkRate rate) {
  const std::string_view speed = rate.speed == 0 || rate.speed >= std::size(kLinkSpeeds)
                                     ? "unknown speed"
                                     : kLinkSpeeds[rate.speed];
  return fmt::format("{}x {}", rate.lanes, speed);
}

std::vector<std::vector<SwitchId>> find_pieces(const Fabric& fabric) {
  std::vector<std::vector<SwitchId>> pieces;
  std::vector<bool> seen(fabric.num_switches(), false);
  for (SwitchId start = 0; start < fabric.num_switches(); ++start) {
    if (seen[start] || fabric.node(start).failed) continue;
    std::vector<SwitchId> piece{start};
    seen[start] = true;
    for (std::size_t i = 0; i < piece.size(); ++i)
      for (const Channel c : fabric.out(piece[i]))
        if (const SwitchId next = fabric.target(c); !seen[next]) {
          seen[next] = true;
          piece.push_back(next);
        }
    std::ranges::sort(piece);
    pieces.push_back(std::move(piece));
  }
  std::ranges::stable_sort(pieces, std::ranges::greater{}, &std::vector<SwitchId>::size);
  return pieces;
}

}  // namespace

Census count(const Fabric& fabric) {
  Census census;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) {
      ++census.failed_switches;
      continue;
    }
    ++census.switches;
    ++census.degrees[static_cast<unsigned>(fabric.out(s).size())];
    ++census.hosts_per_switch[static_cast<unsigned>(fabric.hosts_at(s).size())];
  }
  boost::unordered_flat_set<Guid> adapters;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    adapters.insert(host.node_guid != 0 ? host.node_guid : host.guid);
    if (!fabric.attached(h)) {
      ++census.unattached_hosts;
      continue;
    }
    ++census.hosts;
    ++census.rates[rate_name(fabric.rate(fabric.injection(h)))];
  }
  census.adapters = static_cast<std::uint32_t>(adapters.size());
  census.links = static_cast<std::uint32_t>(fabric.links().size());
  for (const Channel c : fabric.links()) ++census.rates[rate_name(fabric.rate(c))];
  census.pieces = find_pieces(fabric);
  return census;
}

}  // namespace selvedge::route
