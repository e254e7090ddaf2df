// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An emulated fabric that carries traffic while real subnet managers (opensm) manage it. It is made
// of parts of sim/emulate and sim/traffic, from the options that a user gives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/switched_traffic.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// A user's options about links, switches and traffic. Empty text and 0 mean the default.
struct EmulatedTraffic {
  std::string preset = "thesis", load;
  TrafficSpec traffic;  // payload_bytes 0: the preset's payload
  std::string manager_speed;
  std::optional<unsigned> disks;  // of the pattern io

  EmulatedTraffic() { traffic.payload_bytes = 0; }
  /// manager_speed as a number. Throws InputError if it is none.
  double speed() const;
};

class EmulatedFabric {
 public:
  /// `has_lids`: the nodes have the fabric's LIDs from the start, else none. Throws InputError if
  /// an option is wrong or does not fit the fabric.
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
