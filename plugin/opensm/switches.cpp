// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/switches.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace selvedge {
namespace {

osm_switch_t* switch_of(const osm_opensm_t& osm, Guid guid) {
  return osm_get_switch_by_guid(&osm.subn, cl_hton64(guid));
}

}  // namespace

bool read_lfts(osm_opensm_t& osm, const Fabric& fabric) {
  if (fabric.num_switches() == 0) return false;
  for (const Switch& s : fabric.switches()) {
    const osm_switch_t* sw = switch_of(osm, s.guid);
    if (sw == nullptr || cl_ntoh16(sw->switch_info.lin_top) < fabric.top_lid()) return false;
  }
  const unsigned blocks = fabric.top_lid() / IB_SMP_DATA_SIZE + 1u;
  for (unsigned block = 0; block < blocks; ++block) {
    for (const Switch& s : fabric.switches()) {
      osm_switch_t* sw = switch_of(osm, s.guid);
      osm_physp_t* port = osm_node_get_physp_ptr(sw->p_node, 0);
      if (port == nullptr) return false;
      osm_madw_context_t context{};
      context.lft_context.node_guid = osm_node_get_node_guid(sw->p_node);
      context.lft_context.set_method = FALSE;
      const ib_api_status_t status = osm_req_get(
          &osm.sm, osm_physp_get_dr_path_ptr(port), IB_MAD_ATTR_LIN_FWD_TBL, cl_hton32(block),
          FALSE, ib_port_info_get_m_key(&port->port_info), 0, CL_DISP_MSGID_NONE, &context);
      if (status != IB_SUCCESS) return false;
    }
  }
  cl_plock_release(&osm.lock);
  const int exiting = wait_for_pending_transactions(&osm.stats);
  cl_plock_excl_acquire(&osm.lock);
  return exiting == 0;
}

bool any_lft(const osm_opensm_t& osm, const Fabric& fabric) {
  return std::ranges::any_of(fabric.switches(), [&](const Switch& s) {
    const osm_switch_t* sw = switch_of(osm, s.guid);
    return sw != nullptr && sw->switch_info.lin_top != 0;
  });
}

Tables lfts_seen(const osm_opensm_t& osm, const Fabric& fabric) {
  Tables tables(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const osm_switch_t* sw = switch_of(osm, fabric.node(s).guid);
    if (sw == nullptr || sw->lft == nullptr) continue;
    const auto row = tables.lft(s);
    std::copy_n(sw->lft, std::min<std::size_t>(row.size(), sw->lft_size), row.begin());
  }
  return tables;
}

std::vector<MftImage> take_from_groups(osm_mcast_tbl_t& table, const PortSet& ports) {
  std::vector<MftImage> blocks;
  for (std::uint8_t position = 0; position <= table.max_position; ++position) {
    ib_net16_t taken = 0;
    for (unsigned i = 0; i < IB_MCAST_MASK_SIZE; ++i)
      if (const unsigned port = position * unsigned{IB_MCAST_MASK_SIZE} + i;
          port < ports.size() && ports.test(port))
        taken |= cl_hton16(static_cast<std::uint16_t>(1U << i));
    if (taken == 0) continue;
    for (std::int16_t block = 0; block <= table.max_block_in_use; ++block) {
      std::array<ib_net16_t, IB_MCAST_BLOCK_SIZE> masks{};
      static_assert(sizeof masks == kSmpDataBytes);
      if (osm_mcast_tbl_get_block(&table, block, position, masks.data()) == 0) break;
      for (ib_net16_t& mask : masks) mask = static_cast<ib_net16_t>(mask & ~taken);
      osm_mcast_tbl_set_block(&table, masks.data(), block, position);
      MftImage& image = blocks.emplace_back();
      image.block = static_cast<std::uint32_t>(block);
      image.position = position;
      std::memcpy(image.entries.data(), masks.data(), kSmpDataBytes);
    }
  }
  return blocks;
}

void write_lfts(osm_opensm_t& osm, const Fabric& fabric, const Tables& tables) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const osm_switch_t* sw = switch_of(osm, fabric.node(s).guid);
    if (sw == nullptr || sw->new_lft == nullptr) continue;
    const auto row = tables.lft(s);
    std::copy_n(row.begin(), std::min<std::size_t>(row.size(), sw->lft_size), sw->new_lft);
  }
  // With OpenSM's option lmc_esp0 an enhanced switch port 0 has several LIDs. All of them are
  // routed as the first one.
  for (const Switch& owner : fabric.switches()) {
    const osm_switch_t* node = switch_of(osm, owner.guid);
    const osm_port_t* port =
        node == nullptr ? nullptr
                        : osm_get_port_by_guid(&osm.subn, osm_node_get_node_guid(node->p_node));
    if (port == nullptr) continue;
    std::uint16_t first = 0, last = 0;
    osm_port_get_lid_range_ho(port, &first, &last);
    if (first != owner.lid) continue;
    for (unsigned lid = first + 1u; lid <= last; ++lid)
      for (const Switch& s : fabric.switches())
        if (const osm_switch_t* sw = switch_of(osm, s.guid);
            sw != nullptr && sw->new_lft != nullptr && lid < sw->lft_size)
          sw->new_lft[lid] = sw->new_lft[first];
  }
}

}  // namespace selvedge
