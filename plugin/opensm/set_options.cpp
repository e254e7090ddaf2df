// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/set_options.hpp"

#include <fmt/format.h>

#include <string_view>

namespace selvedge {
namespace {

std::string_view text(const char* value) { return value != nullptr ? value : ""; }

/// Adds the options of one kind of ports. Where such an option is not set, OpenSM uses that of
/// `all`.
void add_qos(std::vector<SetOption>& set, std::string_view kind, const osm_qos_options_t& options,
             const osm_qos_options_t* all) {
  const auto add = [&](std::string_view table, std::string_view value, std::string_view otherwise,
                       std::string_view general) {
    if (!value.empty() && value != otherwise && value != general)
      set.push_back({fmt::format("qos_{}{}", kind, table), std::string(value)});
  };
  add("vlarb_high", text(options.vlarb_high), kDefaultVlarbHigh,
      all == nullptr ? "" : text(all->vlarb_high));
  add("vlarb_low", text(options.vlarb_low), kDefaultVlarbLow,
      all == nullptr ? "" : text(all->vlarb_low));
  add("sl2vl", text(options.sl2vl), kDefaultSl2Vl, all == nullptr ? "" : text(all->sl2vl));
}

}  // namespace

std::vector<SetOption> set_options(const osm_subn_opt_t& opt) {
  std::vector<SetOption> set;
  const auto file = [&](const char* name, const char* value) {
    if (!text(value).empty()) set.push_back({name, value});
  };
  const auto number = [&](const char* name, unsigned value, unsigned otherwise) {
    if (value != otherwise) set.push_back({name, fmt::format("{}", value)});
  };
  const auto flag = [&](const char* name, boolean_t value) {
    if (value != FALSE) set.push_back({name, "TRUE"});
  };
  file("root_guid_file", opt.root_guid_file);
  file("cn_guid_file", opt.cn_guid_file);
  file("io_guid_file", opt.io_guid_file);
  number("sm_sl", opt.sm_sl, 0);
  file("hop_weights_file", opt.hop_weights_file);
  file("port_prof_ignore_file", opt.port_prof_ignore_file);
  flag("port_profile_switch_nodes", opt.port_profile_switch_nodes);
  file("port_search_ordering_file", opt.port_search_ordering_file);
  flag("avoid_throttled_links", opt.avoid_throttled_links);
  flag("connect_roots", opt.connect_roots);
  file("lid_matrix_dump_file", opt.lid_matrix_dump_file);
  file("lfts_file", opt.lfts_file);
  flag("quasi_ftree_indexing", opt.quasi_ftree_indexing);
  number("max_reverse_hops", opt.max_reverse_hops, 0);
  file("ids_guid_file", opt.ids_guid_file);
  file("guid_routing_order_file", opt.guid_routing_order_file);
  flag("guid_routing_order_no_scatter", opt.guid_routing_order_no_scatter);
  flag("port_shifting", opt.port_shifting);
  number("scatter_ports", opt.scatter_ports, 0);
  flag("do_mesh_analysis", opt.do_mesh_analysis);
  number("lash_start_vl", opt.lash_start_vl, 0);
  number("nue_max_num_vls", opt.nue_max_num_vls, 1);
  flag("nue_include_switches", opt.nue_include_switches);
  if (const std::string_view path = text(opt.torus_conf_file);
      !path.empty() && path != OSM_DEFAULT_TORUS_CONF_FILE)
    set.push_back({"torus_config", std::string(path)});
  if (opt.qos == FALSE) return set;  // then OpenSM itself ignores the others
  add_qos(set, "", opt.qos_options, nullptr);
  add_qos(set, "ca_", opt.qos_ca_options, &opt.qos_options);
  add_qos(set, "sw0_", opt.qos_sw0_options, &opt.qos_options);
  add_qos(set, "swe_", opt.qos_swe_options, &opt.qos_options);
  add_qos(set, "rtr_", opt.qos_rtr_options, &opt.qos_options);
  return set;
}

}  // namespace selvedge
