// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/subnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.hpp"

namespace selvedge::sim {
namespace {

constexpr Guid kMadeAdapterGuids = 0x100000, kMadeSwitchGuids = 0x200000;  // as ibsim counts

std::optional<Guid> parse_guid(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const bool id = (text.starts_with("S-") || text.starts_with("H-")) && text.size() == 18;
  if (!hexadecimal && !id) return std::nullopt;
  text.remove_prefix(2);
  Guid guid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), guid, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return guid;
}

/// The highest mode that both ports have enabled; 0 if there is none.
unsigned best(unsigned a, unsigned b) { return std::bit_floor(a & b); }

}  // namespace

EmulatedSubnet::EmulatedSubnet(const Fabric& fabric, bool keep_lids) {
  boost::unordered_flat_set<Guid> used{0};
  for (const Switch& s : fabric.switches()) used.insert(s.guid);
  for (const Host& h : fabric.hosts()) used.insert(h.guid), used.insert(h.node_guid);
  const auto made = [&](Guid& next) {
    while (!used.insert(next).second) ++next;
    return next++;
  };
  Guid next_switch = kMadeSwitchGuids, next_adapter = kMadeAdapterGuids;

  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const Switch& sw = fabric.node(s);
    NodeModel model;
    model.ports = std::max<PortNum>(sw.ports, 1);
    model.guid = sw.guid != 0 ? sw.guid : made(next_switch);
    model.description = sw.name;
    model.rates.resize(model.ports + std::size_t{1});
    for (unsigned p = 1; p <= sw.ports; ++p) {
      const Channel c = fabric.channel(s, static_cast<PortNum>(p));
      model.rates[p] = fabric.peer(c) == kNoChannel ? LinkRate{0, 0} : fabric.rate(c);
    }
    add_node(std::move(model));
  }
  num_switches_ = num_nodes();

  // In a Fabric each cabled port of an adapter is a host. Here hosts with the same node GUID become
  // the ports of one adapter.
  boost::unordered_flat_map<Guid, NodeId> adapters;
  std::vector<NodeModel> models;
  std::vector<NodeId> node_of(fabric.num_hosts());
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    NodeId n = static_cast<NodeId>(models.size());
    if (host.node_guid != 0) n = adapters.try_emplace(host.node_guid, n).first->second;
    if (n == models.size()) {
      models.emplace_back();
      models[n].is_switch = false;
      models[n].guid = host.node_guid != 0 ? host.node_guid : made(next_adapter);
      models[n].description = host.name;
    }
    node_of[h] = num_switches_ + n;
    NodeModel& model = models[n];
    model.ports = std::max(model.ports, host.ca_port);
    model.port_guids.resize(
        std::max<std::size_t>(model.port_guids.size(), model.ports + std::size_t{1}));
    model.rates.resize(model.port_guids.size());
    model.port_guids[host.ca_port] = host.guid;
    model.rates[host.ca_port] = fabric.rate(fabric.injection(h));
  }
  for (NodeModel& model : models) {
    for (std::size_t p = 1; p < model.port_guids.size(); ++p)
      if (model.port_guids[p] == 0) model.port_guids[p] = model.guid + p;
    add_node(std::move(model));
  }
  is_changed_.assign(num_nodes(), false);

  for (const Channel c : fabric.links()) {
    const Channel d = fabric.peer(c);
    join({fabric.switch_of(c), fabric.port_of(c)}, {fabric.switch_of(d), fabric.port_of(d)});
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Channel d = fabric.peer(fabric.injection(h));
    if (d == kNoChannel) continue;
    join({node_of[h], fabric.host(h).ca_port}, {fabric.switch_of(d), fabric.port_of(d)});
  }
  if (keep_lids) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      nodes_[s].port(0).set_lid(fabric.node(s).lid, 0);
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      nodes_[node_of[h]]
          .port(fabric.host(h).ca_port)
          .set_lid(fabric.host(h).lid, fabric.host(h).lmc);
  }
  for (std::uint32_t n = 0; n < num_nodes(); ++n)
    for (unsigned p = 1; p <= nodes_[n].num_ports(); ++p) refresh({n, static_cast<PortNum>(p)});
  take_changed();
}

void EmulatedSubnet::add_node(NodeModel model) {
  first_port_.push_back(static_cast<std::uint32_t>(ports_.size()));
  ports_.resize(ports_.size() + model.ports + std::size_t{1});
  nodes_.emplace_back(std::move(model));
  running_.push_back(true);
}

void EmulatedSubnet::join(PortAt a, PortAt b) {
  ports_[index(a)].peer = b;
  ports_[index(b)].peer = a;
}

// --- Links

void EmulatedSubnet::changed(NodeId n) {
  if (n >= num_switches_ || is_changed_[n]) return;
  is_changed_[n] = true;
  changed_.push_back(n);
}

std::vector<NodeId> EmulatedSubnet::take_changed() {
  for (const NodeId n : changed_) is_changed_[n] = false;
  return std::exchange(changed_, {});
}

void EmulatedSubnet::report_link(PortAt at, bool up) {
  if (!running_[at.node]) return;
  nodes_[at.node].link(at.port, up);
  changed(at.node);
}

/// Brings the link into the state that its cable and its two ports ask for.
void EmulatedSubnet::refresh(PortAt at) {
  Port& a = ports_[index(at)];
  if (a.peer.node == kNoNode) return;
  const PortAt far = a.peer;
  Port& b = ports_[index(far)];
  const bool up = !a.cut && !a.disabled && !b.disabled && running_[at.node] && running_[far.node];
  if (up == a.up) return;
  a.up = b.up = up;
  if (up) negotiate(at, far);
  report_link(at, up);
  report_link(far, up);
}

/// The ports agree on the best width and speed that both have enabled.
void EmulatedSubnet::negotiate(PortAt a, PortAt b) {
  PortAttributes &pa = nodes_[a.node].port(a.port), &pb = nodes_[b.node].port(b.port);
  // By number of lanes, 12x, 8x, 4x, 2x, 1x, which is not the order of their bits.
  unsigned width = 1;
  for (const unsigned mask : {8U, 4U, 2U, 16U, 1U})
    if ((pa.usable_widths() & pb.usable_widths() & mask) != 0) {
      width = mask;
      break;
    }
  const unsigned speed = std::max(1U, best(pa.usable_speeds(), pb.usable_speeds()));
  const unsigned extended = best(pa.usable_extended_speeds(), pb.usable_extended_speeds());
  pa.set_active_rate(width, speed, extended);
  pb.set_active_rate(width, speed, extended);
}

void EmulatedSubnet::cut(PortAt at) {
  if (!cabled(at)) return;
  ports_[index(at)].cut = ports_[index(peer(at))].cut = true;
  refresh(at);
}

void EmulatedSubnet::heal(PortAt at) {
  if (!cabled(at)) return;
  ports_[index(at)].cut = ports_[index(peer(at))].cut = false;
  refresh(at);
}

void EmulatedSubnet::kill(NodeId n) {
  if (!running_[n]) return;
  running_[n] = false;
  changed(n);
  for (unsigned p = 1; p <= nodes_[n].num_ports(); ++p) refresh({n, static_cast<PortNum>(p)});
}

void EmulatedSubnet::revive(NodeId n) {
  if (running_[n]) return;
  running_[n] = true;
  nodes_[n].restart();
  for (unsigned p = 1; p <= nodes_[n].num_ports(); ++p) {
    const PortAt at{n, static_cast<PortNum>(p)};
    ports_[index(at)].disabled = false;
    refresh(at);
  }
}

void EmulatedSubnet::set_loss(PortAt at, double share) {
  if (!cabled(at)) return;
  ports_[index(at)].loss = ports_[index(peer(at))].loss = share;
}

void EmulatedSubnet::follow(NodeId n, const SmaChange& change) {
  if (change.what != SmaChange::What::kPort) return;
  const PortAt at{n, change.port};
  Port& port = ports_[index(at)];
  if ((change.bits & port_change::kDisable) != 0) {
    port.disabled = true;
    const PortAt far = port.peer;
    const bool was_up = std::exchange(port.up, false);
    if (far.node == kNoNode || !was_up) return;
    ports_[index(far)].up = false;
    report_link(far, false);
  } else if ((change.bits & port_change::kEnable) != 0) {
    port.disabled = false;
    refresh(at);
  } else if ((change.bits & port_change::kRetrain) != 0 && port.up) {
    // Both ends go down and come up again. A switch whose own port a Set changes does not set
    // PortStateChange for it (IBA 1.3 §14.2.5.4); the switch at the far end does.
    negotiate(at, port.peer);
    nodes_[n].port(at.port).link(true);
    report_link(port.peer, true);
  }
}

// --- Names

PortAt EmulatedSubnet::find_host(std::string_view name) const {
  const auto first_cabled = [&](NodeId n) -> PortAt {
    if (nodes_[n].is_switch()) return {n, 0};
    for (unsigned p = 1; p <= nodes_[n].num_ports(); ++p)
      if (cabled({n, static_cast<PortNum>(p)})) return {n, static_cast<PortNum>(p)};
    return {n, 1};
  };
  if (name.empty()) return num_switches_ < num_nodes() ? first_cabled(num_switches_) : PortAt{};
  if (const auto guid = parse_guid(name))
    for (NodeId n = num_switches_; n < num_nodes(); ++n) {
      const std::vector<Guid>& guids = nodes_[n].model().port_guids;
      for (std::size_t p = 1; p < guids.size(); ++p)
        if (guids[p] == *guid) return {n, static_cast<PortNum>(p)};
    }
  // If several nodes have this description, the first is taken, as in ibsim.
  for (NodeId n = 0; n < num_nodes(); ++n)
    if (nodes_[n].model().description == name) return first_cabled(n);
  const NodeId n = find_node(name);
  return n == kNoNode ? PortAt{} : first_cabled(n);
}

NodeId EmulatedSubnet::find_node(std::string_view name) const {
  NodeId found = kNoNode;
  for (NodeId n = 0; n < num_nodes(); ++n) {
    if (nodes_[n].model().description != name) continue;
    if (found != kNoNode) return kNoNode;
    found = n;
  }
  if (found != kNoNode) return found;
  if (const auto guid = parse_guid(name))
    for (NodeId n = 0; n < num_nodes(); ++n)
      if (nodes_[n].model().guid == *guid) return n;
  return kNoNode;
}

std::vector<PortAt> EmulatedSubnet::find_links(std::string_view name) const {
  const std::string where = fmt::format("'{}'", name);
  // Names may hold ':' and '/', so each ':' is tried as the one before the port number.
  for (std::size_t at = name.rfind(':'); at != std::string_view::npos && at > 0;
       at = name.rfind(':', at - 1)) {
    unsigned number = 0;
    const std::string_view digits = name.substr(at + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const NodeId n = find_node(name.substr(0, at));
    if (n == kNoNode || error != std::errc{} || end != digits.data() + digits.size()) continue;
    const PortAt port{n, static_cast<PortNum>(std::min(number, 255U))};
    if (number == 0 || !exists(port) || !cabled(port))
      throw InputError("there is no cable at this port", where, "name a port with a cable");
    return {port};
  }
  for (std::size_t at = name.find('/'); at != std::string_view::npos; at = name.find('/', at + 1)) {
    const NodeId a = find_node(name.substr(0, at)), b = find_node(name.substr(at + 1));
    if (a == kNoNode || b == kNoNode) continue;
    std::vector<PortAt> found;
    for (unsigned p = 1; p <= nodes_[a].num_ports(); ++p)
      if (const PortAt end{a, static_cast<PortNum>(p)}; peer(end).node == b) found.push_back(end);
    if (found.empty())
      throw InputError("there is no cable between the two nodes", where, "name two neighbours");
    return found;
  }
  throw InputError("no such link", where, "write SWITCH:PORT, or SWITCH/SWITCH");
}

std::vector<PortAt> host_ports(const EmulatedSubnet& subnet, const Fabric& fabric) {
  std::vector<PortAt> ports(fabric.num_hosts());
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (const Channel far = fabric.peer(fabric.injection(h)); far != kNoChannel)
      ports[h] = subnet.peer({fabric.switch_of(far), fabric.port_of(far)});
  return ports;
}

}  // namespace selvedge::sim
