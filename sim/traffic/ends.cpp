// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/ends.hpp"

namespace selvedge::sim {

Ends::Ends(const Fabric& fabric) : fabric_(&fabric), ends_(fabric.num_hosts(), kNoEnd) {
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!fabric.attached(h)) continue;
    ends_[h] = count();
    hosts_.push_back(h);
  }
}

std::vector<End> Ends::at(SwitchId s) const {
  std::vector<End> here;
  for (const HostId h : fabric_->hosts_at(s))
    if (ends_[h] != kNoEnd) here.push_back(ends_[h]);
  return here;
}

}  // namespace selvedge::sim
