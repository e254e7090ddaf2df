// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How the control plane sends SMPs, and from which port.
#pragma once

#include <chrono>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/ids.hpp"
#include "plugin/tables/qos_levels.hpp"

namespace selvedge {

struct SmpSettings {
  Guid port = 0;            // the subnet manager's port
  std::uint64_t m_key = 0;  // in wire byte order
  SmpLimits limits;
  /// How long a drain phase waits: after this time, packets routed by old tables have left the
  /// switches. 0: drains are not used.
  std::chrono::milliseconds drain{20};
  unsigned hoq_life = 0;  // of ports between switches (hoq_keeper.hpp); 0: the subnet manager's
  unsigned window_hoq_life = 0;  // HoqWindow's `life`; 0: the lifetime is not changed
  QosLevels levels = {};  // QoS levels, by which SL2VL rows are converted when they are written
};

}  // namespace selvedge
