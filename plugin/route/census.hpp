// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts on a fabric without tables.
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
  std::uint32_t adapters =
      0;                    // channel adapters; those with several cabled ports are several hosts
  std::uint32_t links = 0;  // between switches
  std::map<unsigned, std::uint32_t> degrees;           // links of a switch → switches
  std::map<unsigned, std::uint32_t> hosts_per_switch;  // → switches
  std::map<std::string, std::uint32_t> rates;          // "4x EDR" → links, those to hosts included
  /// The switches of each connected component, the largest first; failed switches are in none.
  std::vector<std::vector<SwitchId>> pieces;
};

Census count(const Fabric& fabric);

}  // namespace selvedge::route
