// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/routing_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace selvedge {
namespace {

/// The names of OpenSM's options of QoS: `qos_sl2vl`, and for kinds of ports `qos_ca_sl2vl` and so
/// on.
std::vector<std::string> qos_names() {
  std::vector<std::string> names;
  for (const char* kind : {"", "ca_", "sw0_", "swe_", "rtr_"})
    for (const char* table : {"vlarb_high", "vlarb_low", "sl2vl"})
      names.push_back(fmt::format("qos_{}{}", kind, table));
  return names;
}

std::vector<RoutingOption> all_options() {
  const std::vector<std::string_view> by_levels = {"auto", "updn", "dmodk", "tftr", "balanced"};
  std::vector<RoutingOption> all = {
      {"root_guid_file", by_levels},
      {"cn_guid_file", by_levels},
      {"io_guid_file", by_levels},
      {"sm_sl", {}, true},
      {"hop_weights_file", {"updn", "dmodk", "spf", "balanced"}},
      {"port_prof_ignore_file", {"updn", "dmodk", "balanced"}},
      {"guid_routing_order_file", {"updn", "dmodk", "balanced"}},
      {"avoid_throttled_links", {}, false, true},
      {"connect_roots", {}, false, true},  // in every engine's tables all switches reach each other
  };
  for (const char* name :
       {"port_profile_switch_nodes", "port_search_ordering_file", "lid_matrix_dump_file",
        "lfts_file", "quasi_ftree_indexing", "max_reverse_hops", "ids_guid_file",
        "guid_routing_order_no_scatter", "port_shifting", "scatter_ports", "do_mesh_analysis",
        "lash_start_vl", "nue_max_num_vls", "nue_include_switches", "torus_config"})
    all.push_back({name, {}});
  static const std::vector<std::string> qos = qos_names();
  // With several SLs the rows of hosts must be those of switches, so options for kinds of ports
  // have no effect.
  for (const std::string& name : qos) {
    const bool rows = name.ends_with("_sl2vl") && name != "qos_sl2vl" && name != "qos_swe_sl2vl";
    all.push_back({name, {}, rows, !rows});
  }
  return all;
}

}  // namespace

std::span<const RoutingOption> routing_options() {
  static const std::vector<RoutingOption> all = all_options();
  return all;
}

std::vector<std::string> without_effect(std::span<const SetOption> set, std::string_view engine,
                                        bool one_sl) {
  std::vector<std::string> names;
  for (const SetOption& option : set) {
    const auto known = std::ranges::find(routing_options(), option.name, &RoutingOption::name);
    if (known == routing_options().end() || known->by_all || (known->with_one_sl && one_sl) ||
        std::ranges::find(known->honoured_by, engine) != known->honoured_by.end())
      continue;
    names.push_back(option.name);
  }
  return names;
}

}  // namespace selvedge
