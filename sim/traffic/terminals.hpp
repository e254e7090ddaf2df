// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The hosts that take part in traffic: attached ones only, numbered without gaps in the order of
// their ids.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::sim {

using Terminal = std::uint32_t;  // 0 … Terminals::count() − 1
inline constexpr Terminal kNoTerminal = UINT32_MAX;

class Terminals {
 public:
  explicit Terminals(const Fabric& fabric);

  Terminal count() const { return static_cast<Terminal>(hosts_.size()); }
  HostId host(Terminal e) const { return hosts_[e]; }
  /// kNoTerminal for hosts that are not attached.
  Terminal of(HostId h) const { return terminals_[h]; }
  /// The terminals at a switch, in the order of its ports.
  std::vector<Terminal> at(SwitchId s) const;
  const Fabric& fabric() const { return *fabric_; }

 private:
  const Fabric* fabric_;
  std::vector<HostId> hosts_;        // per terminal
  std::vector<Terminal> terminals_;  // per host
};

}  // namespace selvedge::sim
