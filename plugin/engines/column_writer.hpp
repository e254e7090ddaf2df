// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes columns (columns.hpp: the trees towards one switch) into tables: the LFT entries of a
// destination's LIDs, and an SL for each source and LID. LID base + o of a host takes column o,
// modulo the number of columns. Each path gets one of the SLs that it may use: the one that best
// evens out the load of the two VLs so far (Montañana 2008 §4.2.1, stage 5).
#pragma once

#include "plugin/engines/columns.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

class ColumnWriter {
 public:
  /// All three arguments must outlive the writer.
  ColumnWriter(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules);

  /// Writes the entries for the LIDs of the switch `destination` and of its hosts. `columns`: the
  /// trees towards that switch.
  void write(SwitchId destination, const Columns& columns);
  /// The tables, including SL2VL tables.
  Tables finish() && { return std::move(tables_); }

 private:
  void choose_sls(SwitchId destination, const Columns& columns, unsigned column);
  void write_lids(SwitchId destination, const Columns& columns, Lid first, unsigned count,
                  PortNum last);

  /// Numbers of hops on VL 1: one number for each of the SLs 0…3, in 16 bits each.
  using PerSl = std::uint64_t;

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  const TurnRules& rules_;
  Tables tables_;
  std::int64_t vl1_surplus_ = 0;     // hops on VL 1 minus hops on VL 0, so far
  std::vector<PortNum> port_;        // [switch][column], like the columns; kNoPort: no path
  std::vector<Sl> sl_;               // [switch][column]: the SL of the path
  std::vector<PerSl> on_vl1_;        // per switch: hops of its path on VL 1, by SL
  std::vector<std::uint16_t> hops_;  // per switch: hops of its path in all
};

}  // namespace selvedge
