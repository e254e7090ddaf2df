// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric that real managers will manage while it carries traffic: the parts of sim/emulate and
// sim/traffic that such an emulation needs, made from what a user names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/switched_traffic.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// What a user says about links, switches and traffic. Empty text and 0 are the defaults.
struct EmulatedTraffic {
  std::string preset = "thesis", load;
  TrafficSpec traffic;  // its payload_bytes 0: the preset's
  std::string manager_speed;

  EmulatedTraffic() { traffic.payload_bytes = 0; }
  /// Throws InputError.
  double speed() const;
};

class EmulatedFabric {
 public:
  /// `has_lids`: nodes begin with the fabric's LIDs. Throws InputError.
  EmulatedFabric(const Fabric& fabric, bool has_lids, const EmulatedTraffic& wanted,
                 std::uint64_t seed);

  const TrafficSpec spec;  // with the defaults filled in
  const Model model;

 private:
  const std::unique_ptr<Traffic> inner_;

 public:
  EmulatedSubnet subnet;
  SwitchedTraffic traffic;
  DataPlane plane;
};

}  // namespace selvedge::sim
