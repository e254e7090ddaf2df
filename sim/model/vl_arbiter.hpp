// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VL arbitration at one port (IBA 1.3 §7.6.9; docs/simulator.md "VL arbitration"): two tables of
// weighted entries, served in turn, and a limit on how much the high one may send before the low
// one is heard.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/model.hpp"

namespace selvedge::sim {

/// The tables, shared by all ports.
struct ArbitrationTables {
  explicit ArbitrationTables(const Model& model);
  std::vector<ArbitrationEntry> high, low;
  std::int64_t limit_blocks = 0;  // of the high table; < 0: none
};

class VlArbiter {
 public:
  explicit VlArbiter(const ArbitrationTables& tables);

  /// Which of the VLs that may send (a bit each, not 0) sends. 16 or more if the tables name none
  /// of them.
  unsigned choose(std::uint16_t may_send, const ArbitrationTables& tables);
  /// The VL chosen last sends a packet of so many blocks.
  void sent(unsigned blocks);

 private:
  struct Turn {
    std::uint16_t entry = 0;
    std::int32_t left = 0;  // of its weight
  };
  static bool advance(Turn& turn, const std::vector<ArbitrationEntry>& table,
                      std::uint16_t may_send);

  Turn high_, low_;
  std::int64_t high_sent_ = 0;  // blocks since the low table last sent
  bool high_chosen_ = false;
};

}  // namespace selvedge::sim
