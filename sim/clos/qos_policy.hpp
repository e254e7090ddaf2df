// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The throttle that makes adaptive routing settle, as a QoS policy for OpenSM. (OpenSM itself
// configures no adaptive routing.) The path records that the SA then gives have this rate, and the
// hosts send no faster on these paths.
#pragma once

#include <optional>
#include <string>

#include "plugin/fabric/link_rate.hpp"

namespace selvedge::sim {

/// The highest rate with an IBA code that does not exceed `gbps`; none below 2.5 Gb/s.
std::optional<RateCode> rate_limit_below(double gbps);

/// The text of qos-policy.conf: one QoS level, DEFAULT, with this limit.
std::string qos_policy(RateCode limit);

}  // namespace selvedge::sim
