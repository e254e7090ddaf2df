// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/filled_vls.hpp"

#include <algorithm>

namespace selvedge {

UsedLanes used_lanes(const Fabric& fabric, const Tables& tables) {
  PortSet sls;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      if (tables.next(s, static_cast<Lid>(lid)) != kNoPort)
        sls.set(tables.sl(s, static_cast<Lid>(lid)));
  UsedLanes used;
  for (unsigned sl = 0; sl < kSls; ++sl) {
    if (!sls[sl]) continue;
    used.sls = sl + 1;
    for (const Sl2VlRow& row : tables.sl2vl.rows())
      if (row[sl] < kMaxDataVls) used.vls = std::max(used.vls, row[sl] + 1u);
    if (tables.host_sl2vl[sl] < kMaxDataVls)
      used.vls = std::max(used.vls, tables.host_sl2vl[sl] + 1u);
  }
  return used;
}

unsigned copies_of(const UsedLanes& used, unsigned max_vls, unsigned max_sls) {
  return std::min(std::min(max_vls, kMaxDataVls) / used.vls, std::min(max_sls, kSls) / used.sls);
}

unsigned fill_vls(const Fabric& fabric, unsigned max_vls, unsigned max_sls, Tables& tables) {
  const UsedLanes used = used_lanes(fabric, tables);
  const unsigned copies = copies_of(used, max_vls, max_sls);
  if (copies < 2) return 1;
  const auto repeat = [&](Sl2VlRow& row) {
    for (unsigned sl = used.sls; sl < copies * used.sls; ++sl) {
      const Vl vl = row[sl % used.sls];
      // An SL that no path uses may have had any VL.
      const unsigned within = std::min<unsigned>(vl, used.vls - 1);
      row[sl] = vl >= kMaxDataVls ? vl : static_cast<Vl>(within + sl / used.sls * used.vls);
    }
  };
  tables.sl2vl.change_rows(repeat);
  repeat(tables.host_sl2vl);

  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const std::span<Sl> sls = tables.sls(s);
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid) {
      const SwitchId to = fabric.destination_switch(static_cast<Lid>(lid));
      if (to != kNoSwitch && sls[lid] < used.sls)  // one without a path may have any SL
        sls[lid] = static_cast<Sl>(sls[lid] + (s + to) % copies * used.sls);
    }
  }
  return copies;
}

}  // namespace selvedge
