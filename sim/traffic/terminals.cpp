// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/terminals.hpp"

namespace selvedge::sim {

Terminals::Terminals(const Fabric& fabric)
    : fabric_(&fabric), terminals_(fabric.num_hosts(), kNoTerminal) {
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!fabric.attached(h)) continue;
    terminals_[h] = count();
    hosts_.push_back(h);
  }
}

std::vector<Terminal> Terminals::at(SwitchId s) const {
  std::vector<Terminal> here;
  for (const HostId h : fabric_->hosts_at(s))
    if (terminals_[h] != kNoTerminal) here.push_back(terminals_[h]);
  return here;
}

}  // namespace selvedge::sim
