// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's headers, made acceptable to C++. osm_config.h must come first: without it members of
// structures have other offsets than in the opensm program. OpenSM's plugin structure has a member
// called `delete`, which is renamed to `delete_` here.
#pragma once

extern "C" {
#define delete delete_
// clang-format off
#include <infiniband/opensm/osm_config.h>
#include <infiniband/opensm/osm_version.h>
#include <infiniband/opensm/osm_opensm.h>
#include <infiniband/opensm/osm_event_plugin.h>
#include <infiniband/opensm/osm_log.h>
#include <infiniband/opensm/osm_mcast_tbl.h>
#include <infiniband/opensm/osm_mcm_port.h>
#include <infiniband/opensm/osm_multicast.h>
#include <infiniband/opensm/osm_node.h>
#include <infiniband/opensm/osm_port.h>
#include <infiniband/opensm/osm_sm.h>
#include <infiniband/opensm/osm_switch.h>
// clang-format on
#undef delete

// Functions that the opensm program exports, but none of its installed headers declares.
int wait_for_pending_transactions(osm_stats_t* stats);
int ucast_dummy_build_lid_matrices(void* context);
cl_status_t osm_register_external_routing_engine(osm_opensm_t* osm,
                                                 const external_routing_engine_module_t* module,
                                                 void* context);
}

#undef min
#undef max
