// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The plugin's C callbacks, which OpenSM calls. No exception leaves them.
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

/// Registers `selvedge-NAME` with OpenSM; each callback receives `slot`.
void register_engine(osm_opensm_t& osm, const Engine& engine, void* slot);

/// OpenSM's `mcast_build_stree`, for plans that have a multicast tree.
using MulticastCallback = ib_api_status_t (*)(void* context, osm_mgrp_box_t* group);
MulticastCallback multicast_callback();

}  // namespace selvedge
