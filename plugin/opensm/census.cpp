// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/census.hpp"

#include <algorithm>
#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>

namespace selvedge {
namespace {

// OpenSM's map functions take pointers to non-const, but this file only reads.
cl_qmap_t* table(const cl_qmap_t& map) { return const_cast<cl_qmap_t*>(&map); }

/// Calls visit(item) for each item of a cl_qmap. The first member of Item must be its
/// cl_map_item_t.
template <class Item, class Visit>
void for_each(const cl_qmap_t& map, Visit visit) {
  cl_qmap_t* m = table(map);
  for (cl_map_item_t* i = cl_qmap_head(m); i != cl_qmap_end(m); i = cl_qmap_next(i))
    visit(*reinterpret_cast<Item*>(i));
}

Guid guid_of(const osm_node_t* node) { return cl_ntoh64(osm_node_get_node_guid(node)); }

std::string description(const osm_node_t* node) {
  return node->print_desc != nullptr ? node->print_desc : "";
}

/// The link rate from PortInfo's codes for width and speed (IBA 1.3 §14.2.5.6), as far as OpenSM
/// keeps them.
LinkRate rate_of(const osm_physp_t* port) {
  LinkRate rate;
  switch (port->port_info.link_width_active) {
    case 1:
      rate.lanes = 1;
      break;
    case 2:
      rate.lanes = 4;
      break;
    case 4:
      rate.lanes = 8;
      break;
    case 8:
      rate.lanes = 12;
      break;
    case 16:
      rate.lanes = 2;
      break;
    default:
      break;
  }
  auto speed_called = [](std::string_view name) {
    return static_cast<std::uint8_t>(std::ranges::find(kLinkSpeeds, name) - kLinkSpeeds);
  };
  switch (ib_port_info_get_link_speed_ext_active(&port->port_info)) {
    case 1:
      rate.speed = speed_called("FDR");
      return rate;
    case 2:
      rate.speed = speed_called("EDR");
      return rate;
    case 4:
      rate.speed = speed_called("HDR");
      return rate;
    case 8:
      rate.speed = speed_called("NDR");
      return rate;
    default:
      break;
  }
  switch (ib_port_info_get_link_speed_active(&port->port_info)) {
    case 1:
      rate.speed = speed_called("SDR");
      break;
    case 2:
      rate.speed = speed_called("DDR");
      break;
    case 4:
      rate.speed = speed_called("QDR");
      break;
    default:
      rate.speed = 0;
      break;
  }
  return rate;
}

}  // namespace

unsigned vls_of_code(unsigned code) {
  constexpr unsigned kVls[] = {1, 1, 2, 4, 8, 15};
  return code < std::size(kVls) ? kVls[code] : 1;
}

Census take_census(const osm_opensm_t& osm) {
  Census census;
  FabricBuilder builder;
  boost::unordered_flat_map<Guid, SwitchId> ids;

  for_each<osm_switch_t>(osm.subn.sw_guid_tbl, [&](osm_switch_t& sw) {
    const osm_node_t* node = sw.p_node;
    Switch s;
    s.guid = guid_of(node);
    s.name = description(node);
    s.ports = static_cast<PortNum>(std::max<unsigned>(sw.num_ports, 1) - 1);
    s.lid = cl_ntoh16(osm_node_get_base_lid(node, 0));
    if (const osm_physp_t* own = osm_node_get_physp_ptr(sw.p_node, 0);
        own == nullptr || (own->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP) == 0)
      census.sl2vl = false;
    ids.emplace(s.guid, builder.add_switch(std::move(s)));
  });

  auto count_vls = [&](const osm_physp_t* port) {
    if (const unsigned code = ib_port_info_get_vl_cap(&port->port_info); code != 0)
      census.port_vls = std::min(census.port_vls, vls_of_code(code));
  };
  for_each<osm_switch_t>(osm.subn.sw_guid_tbl, [&](osm_switch_t& sw) {
    const Guid guid = guid_of(sw.p_node);
    for (unsigned p = 1; p < sw.num_ports; ++p) {
      osm_physp_t* port = osm_node_get_physp_ptr(sw.p_node, p);
      if (port == nullptr || !osm_link_is_healthy(port)) continue;
      const osm_physp_t* far = osm_physp_get_remote(port);
      if (far == nullptr || far->p_node == nullptr || far->p_node->sw == nullptr) continue;
      const auto far_switch = ids.find(guid_of(far->p_node));
      if (far_switch == ids.end()) continue;
      count_vls(port);
      const std::pair here(guid, p), there(far_switch->first, unsigned{far->port_num});
      if (here >= there) continue;
      builder.connect(ids.at(guid), static_cast<PortNum>(p), far_switch->second, far->port_num,
                      rate_of(port));
      if (osm.subn.opt.avoid_throttled_links != FALSE &&
          osm_link_is_throttled(port, osm.subn.opt.fdr10 != 0))
        census.throttled.push_back({guid, static_cast<PortNum>(p)});
    }
  });

  for_each<osm_port_t>(osm.subn.port_guid_tbl, [&](osm_port_t& port) {
    if (port.p_node == nullptr || port.p_node->sw != nullptr || port.p_physp == nullptr) return;
    Host h;
    h.guid = cl_ntoh64(osm_port_get_guid(&port));
    h.node_guid = guid_of(port.p_node);
    h.name = description(port.p_node);
    h.ca_port = port.p_physp->port_num;
    std::uint16_t first = 0, last = 0;
    osm_port_get_lid_range_ho(&port, &first, &last);
    h.lid = first;
    h.lmc = static_cast<std::uint8_t>(std::bit_width(unsigned{last} - first + 1u) - 1);
    const osm_physp_t* far = osm_physp_get_remote(port.p_physp);
    if (far != nullptr && far->p_node != nullptr && far->p_node->sw != nullptr) {
      if (const auto at = ids.find(guid_of(far->p_node)); at != ids.end()) {
        h.at = at->second;
        h.port = far->port_num;
        count_vls(port.p_physp);
        count_vls(far);
      }
    }
    builder.add_host(std::move(h), rate_of(port.p_physp));
  });

  census.fabric = std::move(builder).build("OpenSM's tables");
  return census;
}

}  // namespace selvedge
