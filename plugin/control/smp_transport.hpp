// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sends SMPs: inside OpenSM by a separate process (plugin/opensm/smp_agent.hpp), in the simulator
// to a subnet in memory.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plugin/control/smp.hpp"

namespace selvedge {

class SmpTransport {
 public:
  /// Called after each answer (index of its request, answer); true ends the wait.
  using StopCondition = std::function<bool(std::size_t, const SmpAnswer&)>;

  virtual ~SmpTransport() = default;
  /// False: nothing can be sent.
  virtual bool running() const = 0;
  /// An answer for each request, in the order of the requests; status kSmpNoAnswer where none came
  /// in any of the tries, or before `stop_condition` ended the wait.
  virtual std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                                     const StopCondition& stop_condition = {}) = 0;
};

}  // namespace selvedge
