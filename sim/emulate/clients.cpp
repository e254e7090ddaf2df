// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The core's clients: connecting, disconnecting, and control messages.
#include <fmt/format.h>

#include "sim/emulate/core.hpp"

namespace selvedge::sim {

ClientId Core::connect(const ClientInfo& info, std::string& why) {
  const std::string_view name = node_of(info);
  const PortAt at = subnet_.find_host(name);
  if (at.node == kNoNode) {
    why = fmt::format("no such host '{}': name one of the fabric in SIM_HOST", name);
    return kNoClient;
  }
  ClientId free = kNoClient;
  for (ClientId c = 0; c < num_slots(); ++c) {
    if (clients_[c].connected && clients_[c].pid == info.id) disconnect(c);
    if (!clients_[c].connected && free == kNoClient) free = c;
  }
  if (free == kNoClient) {
    if (clients_.size() >= kMostClients) {
      why = fmt::format("there are {} clients already: end some of them", clients_.size());
      return kNoClient;
    }
    free = static_cast<ClientId>(clients_.size());
    clients_.emplace_back();
  }
  clients_[free] = {};
  clients_[free].connected = true;
  clients_[free].pid = info.id;
  clients_[free].at = at;
  if (info.is_sm != 0) set_is_sm(free, true);
  return free;
}

void Core::disconnect(ClientId c) {
  if (client(c) == nullptr) return;
  set_is_sm(c, false);
  transactions_.forget(c);
  clients_[c].connected = false;
}

/// Notes whether a client is a subnet manager. The port's CapabilityMask says whether any manager
/// is at the port; a change of the mask causes a trap 144.
void Core::set_is_sm(ClientId c, bool is_sm) {
  clients_[c].is_sm = is_sm;
  const PortAt at = clients_[c].at;
  bool any = false;
  for (const Client& other : clients_)
    any = any || (other.connected && other.is_sm && other.at == at);
  PortAttributes& port = subnet_.agent(at.node).port(at.port);
  const std::uint32_t before = port.capabilities();
  port.set_sm(any);
  if (port.capabilities() != before) traps_.raise(at, TrapNumber::kCapabilityChange, now_);
}

bool Core::control(ControlMessage& m, std::string& why) {
  if (m.client > kMostClients || client(static_cast<ClientId>(m.client)) == nullptr) {
    why = fmt::format("no client has the number {}: connect first", m.client);
    return false;
  }
  const auto c = static_cast<ClientId>(m.client);
  const PortAt at = clients_[c].at;
  const Sma& agent = subnet_.agent(at.node);
  const PortAttributes& port = agent.port(at.port);
  switch (m.type) {
    case ControlType::kGetPort:
      write_data(m, PortSummary{port.lid(), static_cast<std::uint8_t>(port.state())});
      return true;
    case ControlType::kGetVendor: {
      Attribute info;
      agent.node_info(at.port, info.data());
      write_data(
          m, VendorInfo{get32(&info[36]) & 0xffffffU, get16(&info[30]), get32(&info[32]), 0, 1});
      return true;
    }
    case ControlType::kGetGid:
    case ControlType::kGetGuid: {
      Attribute info, ports;
      agent.node_info(at.port, info.data());
      port.read(ports.data(), at.port);
      const bool gid = m.type == ControlType::kGetGid;
      if (gid) std::copy_n(&ports[8], 8, m.data.begin());
      std::copy_n(&info[20], 8, m.data.begin() + (gid ? 8 : 0));
      return true;
    }
    case ControlType::kGetNodeInfo:
      agent.node_info(at.port, m.data.data());
      return true;
    case ControlType::kGetPortInfo: {
      const PortNum asked = m.data[0];
      const bool own = asked == 0 || asked > agent.num_ports();
      const PortNum number = own ? at.port : asked;
      agent.port(number).read(m.data.data(), agent.is_switch() ? 0 : number);
      return true;
    }
    case ControlType::kSetIsSm:
      set_is_sm(c, read_data<std::uint32_t>(m) != 0);
      return true;
    case ControlType::kGetPKeys:
      m.data = {};
      std::copy_n(agent.p_keys(at.port), std::min(m.data.size(), agent.p_key_bytes(at.port)),
                  m.data.begin());
      return true;
    case ControlType::kError:
    case ControlType::kConnect:
    case ControlType::kDisconnect:
      break;
  }
  why = fmt::format("no control message has the type {}: {}", static_cast<std::uint32_t>(m.type),
                    kUseOurProtocol);
  return false;
}

}  // namespace selvedge::sim
