// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/figures.hpp"

#include <algorithm>

namespace selvedge::sim {

HcaFigures operator-(HcaFigures a, const HcaFigures& b) {
  a.sent -= b.sent;
  a.control -= b.control;
  a.resent_lost -= b.resent_lost;
  a.resent_rejected -= b.resent_rejected;
  a.received -= b.received;
  a.early -= b.early;
  a.duplicates -= b.duplicates;
  a.rejected -= b.rejected;
  a.used_slot_ticks -= b.used_slot_ticks;
  a.sent_bytes -= b.sent_bytes;
  a.resent_bytes -= b.resent_bytes;
  a.control_bytes -= b.control_bytes;
  a.busy_ticks -= b.busy_ticks;
  a.limited_ticks -= b.limited_ticks;
  return a;
}

void HcaWindow::operator+=(const HcaWindow& more) {
  packets += more.packets;
  messages += more.messages;
  payload_bytes += more.payload_bytes;
  wire_bytes += more.wire_bytes;
  latency += more.latency;
  distance += more.distance;
  used_slots_max = std::max(used_slots_max, more.used_slots_max);
  connection_slots_max = std::max(connection_slots_max, more.connection_slots_max);
}

}  // namespace selvedge::sim
