// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The C callbacks by which OpenSM calls the plugin. They let no exception through.
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/opensm/osm.hpp"

namespace selvedge {

/// Registers the engine with OpenSM under the name `selvedge-NAME`. OpenSM passes `slot` to each
/// callback of the engine.
void register_engine(osm_opensm_t& osm, const Engine& engine, void* slot);

/// The callback for `mcast_build_stree` in OpenSM's routing engine, for plans with a multicast
/// tree.
using MulticastCallback = ib_api_status_t (*)(void* context, osm_mgrp_box_t* group);
MulticastCallback multicast_callback();

}  // namespace selvedge
