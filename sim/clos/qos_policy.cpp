// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/qos_policy.hpp"

#include <fmt/format.h>

namespace selvedge::sim {

std::optional<RateCode> rate_limit_below(double gbps) {
  std::optional<RateCode> best;
  for (const RateCode& rate : rate_codes())
    if (rate.gbps <= gbps) best = rate;
  return best;
}

std::string qos_policy(RateCode limit) {
  return fmt::format(
      "# For OpenSM (qos_policy_file), with qos TRUE: paths are limited to {:g} Gb/s, so that\n"
      "# adaptive routing can settle. rate-limit is the IBA's code of that rate.\n"
      "qos-levels\n"
      "    qos-level\n"
      "        name: DEFAULT\n"
      "        sl: 0\n"
      "        rate-limit: {}\n"
      "    end-qos-level\n"
      "end-qos-levels\n",
      limit.gbps, limit.code);
}

}  // namespace selvedge::sim
