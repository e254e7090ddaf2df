// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What opensm.conf says about SL2VL and VL arbitration tables: qos_sl2vl, qos_vlarb_high and
// qos_vlarb_low, and the same for kinds of ports.
#pragma once

#include <optional>
#include <vector>

#include "plugin/control/vl_arbitration.hpp"
#include "plugin/opensm/osm.hpp"
#include "plugin/tables/qos_levels.hpp"

namespace selvedge {

struct QosSettings {
  QosMap map;
  struct Arbitration {
    std::vector<VlWeight> high, low;
    friend bool operator==(const Arbitration&, const Arbitration&) = default;
  };
  Arbitration hosts, switches, switch_port_0, routers;
  friend bool operator==(const QosSettings&, const QosSettings&) = default;

  const Arbitration& of(const osm_physp_t& port) const;
};

/// nullopt if `qos` is FALSE, or if none of these is set to another value than OpenSM's default.
std::optional<QosSettings> qos_settings(const osm_subn_opt_t& opt);

}  // namespace selvedge
