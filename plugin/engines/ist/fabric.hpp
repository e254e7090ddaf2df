// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric seen as a torus: which switch is at which place (point of the torus), and by which ports
// it is cabled to its neighbours. Cables that do not belong to the torus are ignored. Cables and
// switches of the torus may be missing.
#pragma once

#include <span>
#include <vector>

#include "plugin/engines/ist/trees.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge::ist {

class PlacedTorus {
 public:
  /// `form` must describe a torus.
  PlacedTorus(const Fabric& fabric, const Regularity& form);

  const Torus& torus() const { return torus_; }
  /// The switch at a place (point of the torus); kNoSwitch if there is none, or if it has failed.
  SwitchId at(Place p) const { return at_[p]; }
  /// The place (point of the torus) of a switch, which must not have failed.
  Place place(SwitchId s) const { return place_[s]; }
  /// The ports of the switch at p that are cabled to the neighbour in that direction, ascending;
  /// several if cables are parallel.
  std::span<const PortNum> ports(Place p, Direction d) const {
    const std::size_t i = p * torus_.directions() + d;
    return {ports_.data() + first_port_[i], first_port_[i + 1] - first_port_[i]};
  }
  bool cabled(Place p, Direction d) const { return !ports(p, d).empty(); }
  bool whole() const { return missing_cables_ == 0; }
  /// The number of pairs of neighbouring places without a cable, including those with a missing
  /// switch.
  unsigned missing_cables() const { return missing_cables_; }

 private:
  Torus torus_;
  std::vector<SwitchId> at_;
  std::vector<Place> place_;
  std::vector<std::uint32_t> first_port_{0};
  std::vector<PortNum> ports_;
  unsigned missing_cables_ = 0;
};

}  // namespace selvedge::ist
