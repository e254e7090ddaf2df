// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/entry.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "plugin/opensm/plugin.hpp"

namespace selvedge {

/// OpenSM's C callbacks of one engine. The context is the engine's slot in the plugin.
struct EngineCallbacks {
  using Slot = Plugin::EngineSlot;
  static Slot& slot(void* context) { return *static_cast<Slot*>(context); }

  /// Runs `body` and returns its result. An exception is logged, and the result is `otherwise`.
  template <class Result, class Body>
  static Result guarded(void* context, const char* what, Result otherwise, Body body) noexcept {
    try {
      return body(slot(context));
    } catch (const std::exception& e) {
      complain(context, what, e.what());
    } catch (...) {
      complain(context, what, "an unknown exception");
    }
    return otherwise;
  }

  static void complain(void* context, const char* what, const char* why) noexcept {
    try {
      slot(context).plugin->log(Plugin::Level::kError, fmt::format("{} failed: {}", what, why));
    } catch (...) {  // there is no memory even for a log line, but OpenSM must go on
    }
  }

  static int prepare(void* context) {
    return guarded(context, "planning", -1,
                   [](Slot& s) { return s.plugin->prepare(*s.engine, *s.slot); });
  }
  static int write(void* context) {
    return guarded(context, "writing LFTs", -1, [](Slot& s) { return s.plugin->write(); });
  }
  static void sl2vl(void* context, osm_physp_t* port, std::uint8_t in, std::uint8_t out,
                    ib_slvl_table_t* table) {
    guarded(context, "SL2VL", 0, [&](Slot& s) {
      s.plugin->fill_sl2vl(*port, in, out, *table);
      return 0;
    });
  }
  static void vlarb(void* context, osm_physp_t* port, std::uint8_t, ib_vl_arb_table_t* block,
                    unsigned length, unsigned block_num) {
    guarded(context, "VL arbitration", 0, [&](Slot& s) {
      s.plugin->fill_vlarb(*port, *block, length, block_num);
      return 0;
    });
  }
  static std::uint8_t path_sl(void* context, std::uint8_t hint, const ib_net16_t slid,
                              const ib_net16_t dlid) {
    return guarded(context, "path SL", hint, [&](Slot& s) {
      return s.plugin->path_sl(hint, cl_ntoh16(slid), cl_ntoh16(dlid));
    });
  }
  static ib_api_status_t multicast(void* context, osm_mgrp_box_t* group) {
    return guarded(context, "multicast", IB_ERROR, [&](Slot& s) {
      s.plugin->build_multicast_tree(*group);
      return IB_SUCCESS;
    });
  }

  static int setup(osm_routing_engine_t* engine, osm_opensm_t*) {
    slot(engine->context).slot = engine;
    engine->build_lid_matrices = prepare;
    engine->ucast_build_fwd_tables = write;
    engine->update_sl2vl = sl2vl;
    engine->update_vlarb = vlarb;
    engine->path_sl = path_sl;
    engine->mcast_build_stree = multicast;
    return 0;
  }
};

void register_engine(osm_opensm_t& osm, const Engine& engine, void* slot) {
  const std::string name = fmt::format("selvedge-{}", engine.name);
  const external_routing_engine_module_t module{name.c_str(), EngineCallbacks::setup, slot};
  osm_register_external_routing_engine(&osm, &module, slot);
}

MulticastCallback multicast_callback() { return EngineCallbacks::multicast; }

namespace {

void* create(osm_opensm_t* osm) noexcept {
  try {
    return new Plugin(*osm);
  } catch (const std::exception& e) {
    osm_log_v2(&osm->log, OSM_LOG_ERROR, 0, "selvedge: cannot start: %s\n", e.what());
  } catch (...) {
    osm_log_v2(&osm->log, OSM_LOG_ERROR, 0, "selvedge: cannot start\n");
  }
  return nullptr;
}

void destroy(void* plugin) noexcept { delete static_cast<Plugin*>(plugin); }

void report(void* plugin, osm_epi_event_id_t id, void* data) noexcept {
  try {
    static_cast<Plugin*>(plugin)->report(id, data);
  } catch (const std::exception& e) {
    try {
      static_cast<Plugin*>(plugin)->log(Plugin::Level::kError, e.what());
    } catch (...) {  // there is no memory even for a log line
    }
  } catch (...) {
  }
}

}  // namespace
}  // namespace selvedge

extern "C" {
// The symbol that OpenSM looks up in the library; its name is OSM_EVENT_PLUGIN_IMPL_NAME.
__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
    OSM_VERSION, selvedge::create, selvedge::destroy, selvedge::report};
}
