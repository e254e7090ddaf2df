// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How the control plane asks and writes, from the port that it has.
#pragma once

#include <chrono>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/ids.hpp"

namespace selvedge {

struct SmpSettings {
  Guid port = 0;            // the subnet manager's
  std::uint64_t m_key = 0;  // as on the wire
  SmpLimits limits;
  /// After which packets that were routed before have left; 0: nobody waits for that.
  std::chrono::milliseconds drain{20};
  unsigned window_hoq_life = 0;  // HoqWindow's; 0: it is left as it is
};

}  // namespace selvedge
