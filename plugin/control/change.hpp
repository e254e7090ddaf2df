// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A change from one plan (plan.hpp) to the next as a value: the order in which its writes are sent,
// and afterwards what was read back from the switches.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/control/group_ports.hpp"
#include "plugin/control/plan.hpp"
#include "plugin/control/smp.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge {

/// The content of one LFT block of a switch.
struct BlockImage {
  SwitchId at = kNoSwitch;
  std::uint32_t block = 0;
  std::array<std::uint8_t, kSmpDataBytes> entries{};
};
/// One SL2VL row in the wire format (on_the_wire()): of switch `at` for the ports `in` and `out`,
/// or of a host, if `host` is set.
struct RowImage {
  SwitchId at = kNoSwitch;
  HostId host = kNoHost;
  PortNum in = 0, out = 0;
  std::array<std::uint8_t, kSls / 2> row{};
};

/// One MFT block of a switch: for 32 MLIDs, from 0xc000 + 32 × `block` on, the ports of a group of
/// 16 ports, as on the wire (IBA 1.3 §14.2.5.12).
struct MftImage {
  SwitchId at = kNoSwitch;
  std::uint32_t block = 0;
  std::uint8_t position = 0;  // ports from 16 × `position` on
  std::array<std::uint8_t, kSmpDataBytes> entries{};
};

/// A row as an SMP carries it: the VLs of two SLs in each byte, that of the even SL in the high
/// nibble (IBA 1.3 §14.2.5.9).
std::array<std::uint8_t, kSls / 2> on_the_wire(const Sl2VlRow& row);

/// The tables as read back from the switches after a change.
struct Confirmed {
  std::vector<BlockImage> blocks;
  std::vector<RowImage> rows;
  // Blocks and rows that were written but could not be read back, so their content is unknown.
  std::vector<BlockImage> unknown_blocks;
  std::vector<RowImage> unknown_rows;
  std::vector<PausedPorts> paused;  // what groups have lost, if they pause
};

/// How a change is sent, for messages: the method, and whether groups pause.
std::string way_of(const SendPlan& order);

struct Change {
  std::shared_ptr<const Plan> before;
  std::shared_ptr<Plan> after;
  Delta delta;
  Fault lost;  // cables and switches in use before the change but not after it
  /// The cables that SMPs take, if not those of the fabric of `after`; with its ids.
  std::shared_ptr<const Fabric> smp_fabric;
  std::vector<SwitchId> near;  // switches at the ends of lost or restored cables, written first
  /// Whether to look for an order of sending that loses no packet. That is possible only if the
  /// components in `lost` still work, or if there are none.
  bool lossless = false;
  std::string method;           // how the new tables were made, for the log
  std::size_t readdressed = 0;  // (switch, LID) whose LID or SL changes
  bool proved = false;

  // Valid once the order of sending has been chosen:
  SendPlan order;
  GroupPorts group_ports;      // the order is proved for groups that have no ports but these
  std::size_t lossy_lids = 0;  // if `lossless`: how many LIDs may nevertheless lose packets
  std::string lossy_witness;   // an example of such a loss
};

/// The outcome of sending a change to the switches.
struct Written {
  bool begun = false;          // whether something may have been written
  bool all_confirmed = false;  // whether every switch was found to hold what was written
  Confirmed confirmed;
  double ms = 0;
};

/// What a log line says in addition if not every switch has confirmed its tables.
inline std::string_view unconfirmed_note(const Written& written) {
  return written.all_confirmed ? "" : "; NOT ALL were confirmed: the sweep sends those again";
}

}  // namespace selvedge
