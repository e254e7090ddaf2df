// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A LID of a host is dark if packets from some other host do not arrive at it, although cables
// connect the two. (Not so a spare LID, Tables::is_spare(), at switches without an entry for it.)
// Tables on several VLs may leave such LIDs after a fault. The host's other LIDs may still work, so
// tables with dark LIDs may be connected in the sense of VerifyOptions::any_lid.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct DarkLid {
  Lid lid = kNoLid;
  HostId host = kNoHost;
  std::uint32_t sources = 0;   // how many switches have a host whose packets do not arrive
  SwitchId first = kNoSwitch;  // the first of them
  friend bool operator==(const DarkLid&, const DarkLid&) = default;
};

/// All dark LIDs, ascending. A packet arrives if LFT entries lead to the host and no SL2VL entry on
/// the way maps the path's SL to VL 15. (plugin/verify has a walk of its own.) O(LIDs × switches).
std::vector<DarkLid> dark_lids(const Fabric& fabric, const Tables& tables);

/// The dark LIDs of one state of tables, computed when something first asks for
/// them, so that they do not delay these tables. Several threads may ask; if two are the first,
/// both compute them.
class DarkOnce {
 public:
  DarkOnce() = default;
  DarkOnce(const DarkOnce&) = delete;
  DarkOnce& operator=(const DarkOnce&) = delete;
  ~DarkOnce() { delete dark_.load(); }

  const std::vector<DarkLid>& of(const Fabric& fabric, const Tables& tables);

 private:
  std::atomic<const std::vector<DarkLid>*> dark_ = nullptr;
};

/// The number of pairs (switch, dark LID) with a host on the switch whose packets do not arrive at
/// the LID.
std::uint64_t dark_paths(const std::vector<DarkLid>& dark);

/// One line such as "2 LIDs have no route from 3 switches, though cables connect them: LID 71 of
/// H-2-1 from S-0-0 and 1 more, LID 75 of H-2-2 from S-0-1"; "" if there are none.
std::string describe_dark(const Fabric& fabric, const std::vector<DarkLid>& dark);

}  // namespace selvedge
