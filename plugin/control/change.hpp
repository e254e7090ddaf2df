// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A change of the tables in force as a value: from which plan to which, in which order it is sent,
// and what was read back from the switches.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plugin/control/plan.hpp"
#include "plugin/control/smp.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge {

/// 64 entries of a switch's LFT.
struct BlockImage {
  SwitchId at = kNoSwitch;
  std::uint32_t block = 0;
  std::array<std::uint8_t, kSmpDataBytes> entries{};
};
/// A row of a switch's SL2VL tables, or the row of a host, as on the wire: two SLs a byte.
struct RowImage {
  SwitchId at = kNoSwitch;
  HostId host = kNoHost;
  PortNum in = 0, out = 0;
  std::array<std::uint8_t, kSls / 2> row{};
};

/// Two SLs a byte, the even one in the high nibble (IBA 1.3 §14.2.5.9).
std::array<std::uint8_t, kSls / 2> on_the_wire(const Sl2VlRow& row);

/// What was read back from the switches.
struct Confirmed {
  std::vector<BlockImage> blocks;
  std::vector<RowImage> rows;
  // Written, but the read-back failed: the switch may hold them or not.
  std::vector<BlockImage> unknown_blocks;
  std::vector<RowImage> unknown_rows;
};

struct Change {
  std::shared_ptr<const Plan> before;
  std::shared_ptr<Plan> after;
  Delta delta;
  Fault lost;                  // what the change takes out; empty for new tables
  std::vector<SwitchId> near;  // switches at the change: written first
  /// What is taken out still works, or nothing is taken out: an order that loses no packet is
  /// looked for.
  bool lossless = false;
  std::string method;  // for the log
  std::size_t readdressed = 0;
  bool proved = false;

  // Once the order is chosen:
  SendPlan order;
  std::size_t lossy_lids = 0;  // of a lossless change: LIDs for which packets may be lost…
  std::string lossy_witness;   // …as here
};

/// The outcome of writing a change.
struct Written {
  bool begun = false;          // something may have been written
  bool all_confirmed = false;  // every switch holds what it should
  Confirmed confirmed;
  double ms = 0;
};

}  // namespace selvedge
