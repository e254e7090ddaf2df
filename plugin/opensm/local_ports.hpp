// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a subnet manager before this one has given to the ports of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace selvedge {

struct LocalPort {
  std::string name;  // such as "mlx5_0 port 1"
  std::uint16_t lid = 0;
  unsigned lmc = 0;
};

/// The host ports of this machine that are up and have a LID; only the one with `guid` unless that
/// is 0 (OpenSM's option `guid`: the first port that is up). Empty where libibumad knows no port,
/// and on a switch.
std::vector<LocalPort> local_ports(std::uint64_t guid);

}  // namespace selvedge
