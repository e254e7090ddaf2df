// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The options of routing (routing_options.hpp) that opensm.conf sets to another value than OpenSM's
// default.
#pragma once

#include <vector>

#include "plugin/control/routing_options.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

std::vector<SetOption> set_options(const osm_subn_opt_t& opt);

}  // namespace selvedge
