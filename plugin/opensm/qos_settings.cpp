// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/qos_settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "plugin/opensm/set_options.hpp"

namespace selvedge {
namespace {

/// 16 numbers between commas, read as OpenSM does.
Sl2VlRow parse_row(const char* text) {
  constexpr unsigned kNibble = 0xf;
  Sl2VlRow row{};
  for (Vl& vl : row) {
    char* end = nullptr;
    vl = static_cast<Vl>(std::strtoul(text, &end, 0) & kNibble);
    text = *end != '\0' ? end + 1 : end;
  }
  return row;
}

const char* first_set(const char* own, const char* general, const char* otherwise) {
  return own != nullptr ? own : general != nullptr ? general : otherwise;
}

QosSettings::Arbitration arbitration(const osm_qos_options_t& own,
                                     const osm_qos_options_t& general) {
  return {parse_vl_arbitration(first_set(own.vlarb_high, general.vlarb_high, kDefaultVlarbHigh)),
          parse_vl_arbitration(first_set(own.vlarb_low, general.vlarb_low, kDefaultVlarbLow))};
}

}  // namespace

const QosSettings::Arbitration& QosSettings::of(const osm_physp_t& port) const {
  if (port.p_node->sw != nullptr) return port.port_num == 0 ? switch_port_0 : switches;
  return osm_node_get_type(port.p_node) == IB_NODE_TYPE_ROUTER ? routers : hosts;
}

std::optional<QosSettings> qos_settings(const osm_subn_opt_t& opt) {
  if (std::ranges::none_of(set_options(opt),
                           [](const SetOption& set) { return set.name.starts_with("qos_"); }))
    return std::nullopt;
  const osm_qos_options_t& all = opt.qos_options;
  QosSettings settings;
  settings.map.switches = parse_row(first_set(opt.qos_swe_options.sl2vl, all.sl2vl, kDefaultSl2Vl));
  settings.map.hosts = parse_row(first_set(opt.qos_ca_options.sl2vl, all.sl2vl, kDefaultSl2Vl));
  settings.hosts = arbitration(opt.qos_ca_options, all);
  settings.switches = arbitration(opt.qos_swe_options, all);
  settings.switch_port_0 = arbitration(opt.qos_sw0_options, all);
  settings.routers = arbitration(opt.qos_rtr_options, all);
  return settings;
}

}  // namespace selvedge
