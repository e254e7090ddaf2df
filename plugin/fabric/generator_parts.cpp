// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/generator_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/error.hpp"

namespace selvedge::generator {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

std::uint64_t saturating_product(const std::vector<unsigned>& factors) {
  std::uint64_t product = 1;
  for (const unsigned factor : factors) product = saturating_product(product, factor);
  return product;
}

void check_lids(std::uint64_t switches, std::uint64_t hosts, const std::string& where) {
  if (switches <= kMaxUnicastLid && hosts <= kMaxUnicastLid && switches + hosts <= kMaxUnicastLid)
    return;
  const auto count = [](std::uint64_t n) {
    return n > 1'000'000'000'000 ? std::string("over 10^12") : std::to_string(n);
  };
  throw InputError(
      fmt::format("{} switches and {} host ports are more than a subnet has LIDs", count(switches),
                  count(hosts)),
      where, fmt::format("choose smaller sizes: together at most {}", unsigned{kMaxUnicastLid}));
}

void check_ports(std::uint64_t ports, const std::string& where) {
  if (ports <= kMaxSwitchPorts) return;
  throw InputError(
      fmt::format("a switch would need {} ports", ports), where,
      fmt::format("InfiniBand allows at most {}: choose fewer dimensions, uplinks or hosts",
                  unsigned{kMaxSwitchPorts}));
}

std::string join_sizes(const std::vector<unsigned>& sizes) {
  return fmt::format("{}", fmt::join(sizes, "x"));
}

SwitchId add_switch(FabricBuilder& builder, SwitchId id, std::string name, unsigned ports) {
  Switch s;
  s.guid = kFirstSwitchGuid + id;
  s.name = std::move(name);
  s.ports = static_cast<PortNum>(ports);
  return builder.add_switch(std::move(s));
}

void add_host(FabricBuilder& builder, HostId id, std::string name, SwitchId at, unsigned port) {
  Host h;
  h.node_guid = kFirstHostGuid + 2 * Guid{id};
  h.guid = h.node_guid + 1;
  h.name = std::move(name);
  h.at = at;
  h.port = static_cast<PortNum>(port);
  builder.add_host(std::move(h));
}

}  // namespace selvedge::generator
