// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/agent.hpp"

namespace selvedge::sim {
namespace {

constexpr std::uint8_t kDefaultLifetime = 0x12;  // about a second

NodeModel switch_model(PortNum ports, Lid top_lid) {
  NodeModel model;
  model.ports = ports;
  model.linear_capacity = static_cast<unsigned>((top_lid / kSmpDataBytes + 1) * kSmpDataBytes);
  model.sl2vl = {};
  model.hoq_life = kDefaultLifetime;
  return model;
}

NodeModel adapter_model() {
  NodeModel model;
  model.is_switch = false;
  model.sl2vl = {};
  model.hoq_life = kDefaultLifetime;
  return model;
}

SmpStatus execute(Sma& sma, const SmpRequest& request, PortState state, SmpData& data) {
  const PortNum arrival = sma.is_switch() ? 0 : 1;
  const bool named = request.modifier > 0 && request.modifier <= sma.num_ports();
  if (request.attribute == SmpAttribute::kPortInfo && (named || !sma.is_switch())) {
    PortAttributes& port = sma.port(named ? static_cast<PortNum>(request.modifier) : arrival);
    port.link(state != PortState::kDown);
    port.set_state(state);
  }
  if (request.method == SmpMethod::kSet) data = request.data;
  SmaRequest r;
  r.method = static_cast<std::uint8_t>(request.method);
  r.attribute = static_cast<std::uint16_t>(request.attribute);
  r.modifier = request.modifier;
  r.arrival = arrival;
  SmaChange change;
  return sma.execute(r, data.data(), change);
}

}  // namespace

SwitchAgent::SwitchAgent(PortNum ports, Lid top_lid) : sma_(switch_model(ports, top_lid)) {}

SmpStatus SwitchAgent::answer(const SmpRequest& request, PortState state, SmpData& data) {
  return execute(sma_, request, state, data);
}

HostAgent::HostAgent() : sma_(adapter_model()) {}

SmpStatus HostAgent::answer(const SmpRequest& request, PortState state, SmpData& data) {
  return execute(sma_, request, state, data);
}

}  // namespace selvedge::sim
