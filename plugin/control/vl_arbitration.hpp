// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lists of VL arbitration (IBA 1.3 §7.6.9): the VLs take turns in the order of the list, and each
// sends up to its weight, in units of 64 bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "plugin/tables/qos_levels.hpp"

namespace selvedge {

struct VlWeight {
  Vl vl = 0;
  std::uint8_t weight = 0;
  friend bool operator==(const VlWeight&, const VlWeight&) = default;
};

/// Reads `VL:WEIGHT,VL:WEIGHT,…` as OpenSM does, which takes text that is no number as 0. OpenSM
/// itself reports errors in such a list when it starts.
std::vector<VlWeight> parse_vl_arbitration(std::string_view text);

/// Converts the administrator's list to the VLs of the QoS levels. Each VL of a level gets the sum
/// of the weights that the list gives the administrator's VL, at most 255. So the shares of the
/// levels are those of the list. VLs of weight 0 are left out.
std::vector<VlWeight> spread(std::span<const VlWeight> list, const QosLevels& levels);

}  // namespace selvedge
