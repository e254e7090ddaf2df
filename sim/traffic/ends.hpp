// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The hosts that take part in traffic: attached ones only, numbered without gaps in the order of
// their ids.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::sim {

using End = std::uint32_t;  // 0 … Ends::count() − 1
inline constexpr End kNoEnd = UINT32_MAX;

class Ends {
 public:
  explicit Ends(const Fabric& fabric);

  End count() const { return static_cast<End>(hosts_.size()); }
  HostId host(End e) const { return hosts_[e]; }
  /// kNoEnd for hosts that are not attached.
  End end(HostId h) const { return ends_[h]; }
  /// The ends at a switch, in the order of its ports.
  std::vector<End> at(SwitchId s) const;
  const Fabric& fabric() const { return *fabric_; }

 private:
  const Fabric* fabric_;
  std::vector<HostId> hosts_;  // per end
  std::vector<End> ends_;      // per host
};

}  // namespace selvedge::sim
