// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface by which SMPs are sent: inside OpenSM by a separate process
// (plugin/opensm/smp_agent.hpp), in the simulator to a simulated subnet.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plugin/control/smp.hpp"

namespace selvedge {

class SmpTransport {
 public:
  /// Called after each answer with (index of its request, answer). If the result is true, run()
  /// waits for no further answers.
  using StopCondition = std::function<bool(std::size_t, const SmpAnswer&)>;

  virtual ~SmpTransport() = default;
  /// Whether SMPs can be sent.
  virtual bool running() const = 0;
  /// Sends the requests and returns an answer for each, in the order of the requests. Its status is
  /// kSmpNoAnswer if none arrived in any of the tries, or before `stop_condition` ended the wait.
  virtual std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                                     const StopCondition& stop_condition = {}) = 0;
};

}  // namespace selvedge
