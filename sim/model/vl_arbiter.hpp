// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VL arbitration at one port (IBA 1.3 §7.6.9; docs/simulator.md "VL arbitration"): two tables of
// weighted entries, and a limit on how much the high-priority one may send before the low-priority
// one is served.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/model.hpp"

namespace selvedge::sim {

/// The VL arbitration tables of a port, shared by all ports that have the same.
struct ArbitrationTables {
  ArbitrationTables() = default;
  /// `limit`: of the high-priority table, in units of 4,096 bytes; 0 is one packet, 255 no limit.
  /// `vls`: number of data VLs of the model.
  ArbitrationTables(std::span<const ArbitrationEntry> high_in,
                    std::span<const ArbitrationEntry> low_in, unsigned limit, unsigned vls);
  explicit ArbitrationTables(const Model& model)
      : ArbitrationTables(model.arbitration_high, model.arbitration_low,
                          model.arbitration_high_limit, model.vls) {}

  std::vector<ArbitrationEntry> high, low;
  std::int64_t limit_blocks = 0;  // limit of the high-priority table; < 0: no limit
  bool round_robin = false;       // the tables amount to round robin over all VLs, done faster
  std::uint16_t high_vls = 0, low_vls = 0;  // the VLs that each table lists with a weight

  friend bool operator==(const ArbitrationTables&, const ArbitrationTables&) = default;
  friend std::size_t hash_value(const ArbitrationTables& tables);
};

class VlArbiter {
 public:
  explicit VlArbiter(const ArbitrationTables& tables);

  /// The VL that sends next, of those in `may_send` (bit v: VL v; at least one bit is set). It
  /// returns 16 or more if the arbitration tables list none of them.
  unsigned choose(std::uint16_t may_send, const ArbitrationTables& tables) {
    if (!tables.round_robin) return choose_by_weight(may_send, tables);
    const unsigned after = may_send & (~0u << next_);
    const unsigned vl = static_cast<unsigned>(std::countr_zero(after != 0 ? after : may_send));
    next_ = vl + 1;
    return vl;
  }
  /// Charges a packet of this many blocks to the table entry by which choose() chose last.
  void sent(unsigned blocks);

 private:
  /// A table's current entry.
  struct Cursor {
    std::uint16_t entry = 0;
    std::int32_t weight_left = 0;  // blocks left of the entry's weight
  };
  unsigned choose_by_weight(std::uint16_t may_send, const ArbitrationTables& tables);
  static bool advance(Cursor& cursor, const std::vector<ArbitrationEntry>& table,
                      std::uint16_t may_send);

  Cursor high_, low_;
  unsigned next_ = 0;           // for round robin: the VL sent last, + 1
  std::int64_t high_sent_ = 0;  // blocks sent by the high table since the low table last sent
  bool high_chosen_ = false;
};

}  // namespace selvedge::sim
