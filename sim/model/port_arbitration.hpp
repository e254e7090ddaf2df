// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The VL arbitration tables in force at the near end of each channel, for a network whose subnet
// manager writes them. Equal tables are stored once: most ports have the same.
#pragma once

#include "plugin/fabric/ids.hpp"
#include "sim/model/shared_values.hpp"
#include "sim/model/vl_arbiter.hpp"

namespace selvedge::sim {

class PortArbitration {
 public:
  /// Sets these tables at all channels. May be called only once.
  void assign(std::uint32_t channels, const ArbitrationTables& tables) {
    number_.assign(channels, tables_.add_users(tables, channels));
  }
  const ArbitrationTables& at(Channel c) const { return tables_[number_[c]]; }
  void write(Channel c, const ArbitrationTables& tables) {
    const std::uint32_t before = number_[c];
    number_[c] = tables_.add_users(tables);
    tables_.release(before);
  }

 private:
  SharedValues<ArbitrationTables> tables_;
  std::vector<std::uint32_t> number_;  // per channel
};

}  // namespace selvedge::sim
