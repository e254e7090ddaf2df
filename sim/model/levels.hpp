// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables for several levels of service, as OpenSM's QoS levels have them: each level has its own
// SLs, which go on its own copy of the VLs. So levels share links, but no buffers, and the proof of
// the tables holds for each of them.
#pragma once

#include <span>

#include "plugin/tables/tables.hpp"

namespace selvedge::sim {

struct Levels {
  Tables tables;
  unsigned vls = 1;  // data VLs of all levels
};

/// Level i has the SLs `sls[i]` + the SL of the path, and the tables' VLs + i times `vls_each`: at
/// least the number of the tables' VLs.
/// All other SLs are dropped. The SLs of paths in the tables stay as they are. Throws InputError if
/// two levels share an SL, or there are not enough SLs or VLs.
Levels with_levels(const Tables& tables, std::span<const Sl> sls, unsigned vls_each = 1);

}  // namespace selvedge::sim
