// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Columns (columns.hpp) as tables: the LFT entries of a destination's LIDs, offset o of a host
// in column o (modulo their number), and for each source and LID an SL. Of the SLs that a path may
// use it gets the one that puts it on the VLs that carry less so far (Montañana 2008 §4.2.1,
// stage 5).
#pragma once

#include "plugin/engines/columns.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

class ColumnWriter {
 public:
  /// All must outlive this.
  ColumnWriter(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules);

  /// The LIDs of a switch and of its hosts, from the columns towards it.
  void write(SwitchId destination, const Columns& columns);
  /// The tables, SL2VL included.
  Tables finish() && { return std::move(tables_); }

 private:
  void choose_sls(SwitchId destination, const Columns& columns, unsigned column);
  void write_lids(SwitchId destination, const Columns& columns, Lid first, unsigned count,
                  PortNum last);

  /// Hops on VL 1 with each of the SLs 0…3, 16 bits each.
  using PerSl = std::uint64_t;

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  const TurnRules& rules_;
  Tables tables_;
  std::int64_t lean_ = 0;            // hops on VL 1 less those on VL 0
  std::vector<PortNum> port_;        // [switch][column], like the columns; kNoPort: no way
  std::vector<Sl> sl_;               // the same
  std::vector<PerSl> on_vl1_;        // per switch, after it, in the column at hand
  std::vector<std::uint16_t> hops_;  // per switch, in the column at hand
};

}  // namespace selvedge
