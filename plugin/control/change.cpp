// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/change.hpp"

namespace selvedge {

std::array<std::uint8_t, kSls / 2> on_the_wire(const Sl2VlRow& row) {
  std::array<std::uint8_t, kSls / 2> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(row[2 * i] << 4 | row[2 * i + 1]);
  return bytes;
}

std::string way_of(const SendPlan& order) {
  return std::string(name_of(order.method)) + (order.groups_pause ? ", groups paused" : "");
}

}  // namespace selvedge
