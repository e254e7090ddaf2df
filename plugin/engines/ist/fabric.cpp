// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/fabric.hpp"

namespace selvedge::ist {

PlacedTorus::PlacedTorus(const Fabric& fabric, const Regularity& form)
    : torus_(form.sizes), at_(torus_.places(), kNoSwitch), place_(fabric.num_switches(), 0) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (unsigned i = 0; i < torus_.dimensions(); ++i)
      place_[s] += form.coordinates[s * torus_.dimensions() + i] * torus_.stride(i);
    if (!fabric.node(s).failed) at_[place_[s]] = s;
  }
  for (Place p = 0; p < torus_.places(); ++p)
    for (Direction d = 0; d < torus_.directions(); ++d) {
      const SwitchId here = at_[p], there = at_[torus_.neighbour(p, d)];
      if (here != kNoSwitch && there != kNoSwitch)
        for (const Channel c : fabric.out(here))
          if (fabric.target(c) == there) ports_.push_back(fabric.port_of(c));
      if (d % 2 == 1 && ports_.size() == first_port_.back()) ++missing_cables_;
      first_port_.push_back(static_cast<std::uint32_t>(ports_.size()));
    }
}

}  // namespace selvedge::ist
