// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which SLs a table set drops, and at which pairs of ports (by a VL of 15 in an SL2VL table, IBA
// 1.3 §7.6.6). Usually tables drop no SL that a path uses. Then any() is false, and code that
// follows paths need not read SL2VL tables at all.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Sets of SLs have bit s for SL s. A DroppedSls keeps a reference to the tables.
class DroppedSls {
 public:
  explicit DroppedSls(const Tables& tables);

  /// If false, no SL that some path uses is dropped at any pair of ports. (May be true because of a
  /// row that is no longer in use.)
  bool any() const { return any_; }
  std::uint16_t at_hosts() const { return hosts_; }
  std::uint16_t at(SwitchId s, PortNum in, PortNum out) const {
    return tables_.sl2vl.uniform(s) ? uniform_[s] : of(tables_.sl2vl.row(s, in, out));
  }

 private:
  static std::uint16_t of(const Sl2VlRow& row);

  const Tables& tables_;
  bool any_ = false;
  std::uint16_t hosts_ = 0;
  std::vector<std::uint16_t> uniform_;  // per switch: SLs that its default row drops
};

/// Whether each SL2VL row, of hosts and of switches, drops either all SLs or none. (May be false
/// because of a row that is no longer in use.)
bool drops_all_sls_or_none(const Tables& tables);

/// Whether packets on `sl` pass wherever the path from a host to another host's LID passes,
/// whatever SL that path is on. OpenSM 3.3.23 answers no path query whose SL (that of the
/// partition, 0 if not set) is dropped on the path: it reads the SL2VL tables before it asks the
/// routing engine for the path's own SL (osm_sa_path_record.c, error 1F24). Turns at which every SL
/// is dropped carry no path, and do not count. O(LIDs × switches).
bool passes_on_every_path(const Fabric& fabric, const Tables& tables, Sl sl);

}  // namespace selvedge
