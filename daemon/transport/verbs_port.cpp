// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/verbs_port.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::transport {
namespace {

unsigned bytes_of(ibv_mtu mtu) { return 128u << static_cast<unsigned>(mtu); }

/// The number of the wanted port, or of the first port that is up if `wanted` is 0; 0 if there is
/// none.
std::uint8_t port_of(ibv_context* context, unsigned wanted) {
  ibv_device_attr device{};
  if (ibv_query_device(context, &device) != 0) return 0;
  for (unsigned p = 1; p <= device.phys_port_cnt; ++p) {
    ibv_port_attr port{};
    const auto number = static_cast<std::uint8_t>(p);
    if ((wanted != 0 && wanted != p) || ibv_query_port(context, number, &port) != 0) continue;
    if (wanted != 0 || port.state == IBV_PORT_ACTIVE) return number;
  }
  return 0;
}

}  // namespace

bool operator==(const PortState& a, const PortState& b) {
  return a.up == b.up && a.link == b.link && a.lid == b.lid && a.sm_lid == b.sm_lid &&
         a.lmc == b.lmc && a.mtu_bytes == b.mtu_bytes &&
         std::ranges::equal(a.gids, b.gids, [](const GidEntry& x, const GidEntry& y) {
           return x.index == y.index && x.gid == y.gid;
         });
}

void VerbsPort::throw_unavailable(const std::string& what, const std::string& where,
                                  const std::string& remedy) {
  throw EnvironmentError(what, where, remedy);
}

VerbsPort::VerbsPort(const VerbsPortConfig& config) : wanted_gids_(config.gids) {
  int count = 0;
  ibv_device** devices = ibv_get_device_list(&count);
  std::string names;
  for (int i = 0; devices != nullptr && i < count && context_ == nullptr; ++i) {
    const std::string name = ibv_get_device_name(devices[i]);
    names += (names.empty() ? "" : ", ") + name;
    if (!config.device.empty() && config.device != name) continue;
    ibv_context* context = ibv_open_device(devices[i]);
    if (context == nullptr) continue;
    number_ = port_of(context, config.port);
    if (number_ != 0)
      context_ = context;
    else
      ibv_close_device(context);
  }
  if (devices != nullptr) ibv_free_device_list(devices);
  if (context_ == nullptr) {
    if (names.empty())
      throw_unavailable(
          "there is no verbs device", "[verbs] device",
          "see what ibv_devices lists and load the adapter's driver, or write backend = \"udp\"");
    throw_unavailable(
        config.device.empty()
            ? "no verbs device has a port that is up"
            : fmt::format("the verbs device '{}' or its port does not exist", config.device),
        "[verbs] device", fmt::format("choose among {}; ibv_devinfo lists their ports", names));
  }
  domain_ = ibv_alloc_pd(context_);
  const int flags = fcntl(context_->async_fd, F_GETFL);
  const auto state =
      domain_ == nullptr || flags < 0 || fcntl(context_->async_fd, F_SETFL, flags | O_NONBLOCK) < 0
          ? std::nullopt
          : query();
  const bool usable = state && !state->gids.empty();
  const bool wide = usable && state->mtu_bytes >= protocol::kMtuBytesMin;
  if (wide) return;
  const std::string where = name();
  if (domain_ != nullptr) ibv_dealloc_pd(domain_);
  ibv_close_device(context_);
  if (usable)
    throw_unavailable(
        fmt::format("an MTU of {} bytes is too small", state->mtu_bytes), where,
        fmt::format("set the network's MTU to at least {} bytes", protocol::kMtuBytesMin));
  throw_unavailable(
      state ? "the port has no GID that can be used" : "the port cannot be read", where,
      "see ibv_devinfo -v; a RoCE port needs an IP address, and [verbs] gids must be among its "
      "GIDs");
}

VerbsPort::~VerbsPort() {
  ibv_dealloc_pd(domain_);
  ibv_close_device(context_);
}

std::string VerbsPort::name() const {
  return fmt::format("{} port {}", ibv_get_device_name(context_->device), number_);
}

std::string VerbsPort::counters_directory() const {
  return fmt::format("{}/ports/{}/hw_counters", context_->device->ibdev_path, number_);
}

std::optional<PortState> VerbsPort::query() const {
  ibv_port_attr port{};
  if (ibv_query_port(context_, number_, &port) != 0) return std::nullopt;
  PortState s;
  s.up = port.state == IBV_PORT_ACTIVE;
  s.link = port.link_layer == IBV_LINK_LAYER_ETHERNET ? Link::kRoce : Link::kInfiniBand;
  s.lid = port.lid;
  s.sm_lid = port.sm_lid;
  s.lmc = port.lmc;
  s.mtu_bytes = bytes_of(port.active_mtu);
  std::vector<GidEntry> all;
  // An address handle has one byte for the GID's index, so further entries cannot be used.
  for (int i = 0; i < std::min(port.gid_tbl_len, 256); ++i) {
    ibv_gid_entry entry{};
    if (ibv_query_gid_ex(context_, number_, static_cast<std::uint32_t>(i), &entry, 0) != 0)
      continue;
    GidEntry e{.index = entry.gid_index, .roce_v2 = entry.gid_type != IBV_GID_TYPE_ROCE_V1};
    std::memcpy(e.gid.data(), entry.gid.raw, e.gid.size());
    if (e.gid != Gid{}) all.push_back(e);
  }
  if (s.link == Link::kInfiniBand) {
    if (!all.empty()) s.gids = {all.front()};
  } else if (wanted_gids_.empty()) {
    s.gids = choose_gids(all);
  } else {
    for (const std::uint32_t index : wanted_gids_)
      if (const auto it = std::ranges::find(all, index, &GidEntry::index); it != all.end())
        s.gids.push_back(*it);
    if (s.up && s.gids.size() != wanted_gids_.size()) s.gids.clear();
  }
  return s;
}

VerbsPort::Event VerbsPort::next_event() {
  ibv_async_event event{};
  if (ibv_get_async_event(context_, &event) != 0) return Event::kNone;
  const ibv_event_type type = event.event_type;
  // Events of the device's other ports are ignored.
  const bool of_port = type == IBV_EVENT_PORT_ACTIVE || type == IBV_EVENT_PORT_ERR ||
                       type == IBV_EVENT_LID_CHANGE || type == IBV_EVENT_PKEY_CHANGE ||
                       type == IBV_EVENT_GID_CHANGE || type == IBV_EVENT_SM_CHANGE ||
                       type == IBV_EVENT_CLIENT_REREGISTER;
  const bool elsewhere = of_port && event.element.port_num != number_;
  ibv_ack_async_event(&event);
  if (elsewhere) return Event::kOther;
  switch (type) {
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_GID_CHANGE:
      return Event::kPort;
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
      return Event::kSubnet;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
      return Event::kQueue;
    case IBV_EVENT_DEVICE_FATAL:
      return Event::kDeviceFatal;
    default:
      return Event::kOther;
  }
}

}  // namespace selvedge::transport
