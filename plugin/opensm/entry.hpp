// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The border between OpenSM's C callbacks and the plugin: every exception ends here.
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

/// Registers `selvedge-NAME` with OpenSM; `slot` is handed back with each callback.
void register_engine(osm_opensm_t& osm, const Engine& engine, void* slot);

/// OpenSM's `mcast_build_stree`, for plans that have trees of their own.
using MulticastCallback = ib_api_status_t (*)(void* context, osm_mgrp_box_t* group);
MulticastCallback multicast_callback();

}  // namespace selvedge
