// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric without its LIDs, as after writing it to a .net file, which has no LIDs.
#pragma once

#include <utility>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::test {

inline Fabric without_lids(const Fabric& fabric) {
  FabricBuilder builder(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) builder.node(s).lid = kNoLid;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    builder.host(h).lid = kNoLid;
    builder.host(h).lmc = 0;
  }
  return std::move(builder).build("without LIDs");
}

}  // namespace selvedge::test
