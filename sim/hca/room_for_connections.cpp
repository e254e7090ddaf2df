// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/room_for_connections.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace selvedge::sim {

std::uint64_t connections_that_fit() {
  std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0) bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  return bytes / 2 / kConnectionBytes;
}

std::uint64_t hosts_all_connected(std::uint64_t connections) {
  auto hosts = static_cast<std::uint64_t>(std::sqrt(2.0 * static_cast<double>(connections)));
  while (hosts * (hosts + 1) / 2 <= connections) ++hosts;
  while (hosts > 1 && hosts * (hosts - 1) / 2 > connections) --hosts;
  return hosts;
}

}  // namespace selvedge::sim
