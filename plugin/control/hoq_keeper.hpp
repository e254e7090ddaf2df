// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sets the head-of-queue lifetime of the ports between switches to `[engine] hoq_life`, and reads
// it back. The subnet manager sets its own value whenever it configures a port, so this is repeated
// after each sweep. If the setting goes, the sweep that takes this over puts the subnet manager's
// value back.
//
// A switch is sent the PortInfo that it has just answered, with another HOQLife. The subnet manager
// must not write PortInfo meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/control/environment.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

class HoqKeeper {
 public:
  HoqKeeper(const ControlEnvironment& environment, SmpTransport& smps)
      : environment_(environment), smps_(smps) {}

  /// Sets the lifetime at the next ports, at most kPortsAtATime. `round`: another number begins
  /// with the first port again. Returns true if more ports remain; else the report is given to
  /// TablesInForce::hoq_life_set(), and a new result is logged.
  bool step(std::uint64_t round);

  static constexpr std::size_t kPortsAtATime = 64;

 private:
  void check(std::size_t first, std::size_t count);
  void finish();

  const ControlEnvironment environment_;
  SmpTransport& smps_;
  std::uint64_t round_ = 0;
  std::shared_ptr<const Plan> plan_;  // of this round
  std::vector<Channel> ports_;
  std::size_t next_ = 0;
  HoqReport report_, told_;
};

}  // namespace selvedge
