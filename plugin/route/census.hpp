// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Numbers that describe a fabric without its tables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::route {

struct Census {
  std::uint32_t switches = 0, failed_switches = 0;
  std::uint32_t hosts = 0, unattached_hosts = 0;
  std::uint32_t adapters = 0;  // channel adapters; one with several cabled ports is several hosts
  std::uint32_t links = 0;     // cables between switches
  /// Number of cables to other switches → number of switches with that many cables.
  std::map<unsigned, std::uint32_t> degrees;
  std::map<unsigned, std::uint32_t> hosts_per_switch;  // number of hosts → switches with that many
  std::map<std::string, std::uint32_t> rates;  // "4x EDR" → cables, including those to hosts
  /// The switches of each connected component, the largest component first. Failed switches are in
  /// none.
  std::vector<std::vector<SwitchId>> pieces;
};

Census count(const Fabric& fabric);

}  // namespace selvedge::route
