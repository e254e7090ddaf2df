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
#include "base/in_quotes.hpp"

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

/// GUIDs for nodes that have none.
class MadeGuids {
 public:
  explicit MadeGuids(const Fabric& fabric) {
    for (const Switch& s : fabric.switches()) used_.insert(s.guid);
    for (const Host& h : fabric.hosts()) used_.insert(h.guid), used_.insert(h.node_guid);
  }
  Guid of_switch() { return made(next_switch_); }
  Guid of_adapter() { return made(next_adapter_); }

 private:
  Guid made(Guid& next) {
    while (!used_.insert(next).second) ++next;
    return next++;
  }
  boost::unordered_flat_set<Guid> used_{0};
  Guid next_switch_ = kMadeSwitchGuids, next_adapter_ = kMadeAdapterGuids;
};

NodeModel model_of_switch(const Fabric& fabric, SwitchId s, MadeGuids& guids) {
  const Switch& sw = fabric.node(s);
  NodeModel model;
  model.ports = std::max<PortNum>(sw.ports, 1);
  model.guid = sw.guid != 0 ? sw.guid : guids.of_switch();
  model.description = sw.name;
  model.rates.resize(model.ports + std::size_t{1});
  for (unsigned p = 1; p <= sw.ports; ++p) {
    const Channel c = fabric.channel(s, static_cast<PortNum>(p));
    model.rates[p] = fabric.peer(c) == kNoChannel ? LinkRate{0, 0} : fabric.rate(c);
  }
  return model;
}

struct Adapters {
  std::vector<NodeModel> models;
  std::vector<PortAt> port_of;  // per host; its node counts from the first adapter
};

/// The adapters of a fabric, whose hosts are ports: hosts with the same node GUID are ports of one
/// adapter.
Adapters adapters_of(const Fabric& fabric, MadeGuids& guids) {
  Adapters found;
  boost::unordered_flat_map<Guid, NodeId> by_guid;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    auto n = static_cast<NodeId>(found.models.size());
    if (host.node_guid != 0) n = by_guid.try_emplace(host.node_guid, n).first->second;
    if (n == found.models.size()) {
      NodeModel& fresh = found.models.emplace_back();
      fresh.is_switch = false;
      fresh.guid = host.node_guid != 0 ? host.node_guid : guids.of_adapter();
      fresh.description = host.name;
    }
    found.port_of.push_back({n, host.ca_port});
    NodeModel& model = found.models[n];
    model.ports = std::max(model.ports, host.ca_port);
    model.port_guids.resize(
        std::max<std::size_t>(model.port_guids.size(), model.ports + std::size_t{1}));
    model.rates.resize(model.port_guids.size());
    model.port_guids[host.ca_port] = host.guid;
    model.rates[host.ca_port] = fabric.rate(fabric.injection(h));
  }
  for (NodeModel& model : found.models)
    for (std::size_t p = 1; p < model.port_guids.size(); ++p)
      if (model.port_guids[p] == 0) model.port_guids[p] = model.guid + p;
  return found;
}

}  // namespace

EmulatedSubnet::EmulatedSubnet(const Fabric& fabric, bool keep_lids) {
  MadeGuids guids(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) add_node(model_of_switch(fabric, s, guids));
  num_switches_ = num_nodes();
  Adapters adapters = adapters_of(fabric, guids);
  for (NodeModel& model : adapters.models) add_node(std::move(model));
  for (PortAt& port : adapters.port_of) port.node += num_switches_;
  is_changed_.assign(num_nodes(), false);

  join_cables(fabric, adapters.port_of);
  if (keep_lids) give_lids(fabric, adapters.port_of);
  for (NodeId n = 0; n < num_nodes(); ++n)
    for (unsigned p = 1; p <= nodes_[n].num_ports(); ++p) refresh({n, static_cast<PortNum>(p)});
  take_changed();
}

void EmulatedSubnet::join_cables(const Fabric& fabric, const std::vector<PortAt>& host_port) {
  const auto port_of = [&](Channel c) { return PortAt{fabric.switch_of(c), fabric.port_of(c)}; };
  for (const Channel c : fabric.links()) join(port_of(c), port_of(fabric.peer(c)));
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (const Channel far = fabric.peer(fabric.injection(h)); far != kNoChannel)
      join(host_port[h], port_of(far));
}

void EmulatedSubnet::give_lids(const Fabric& fabric, const std::vector<PortAt>& host_port) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    nodes_[s].port(0).set_lid(fabric.node(s).lid, 0);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    nodes_[host_port[h].node]
        .port(host_port[h].port)
        .set_lid(fabric.host(h).lid, fabric.host(h).lmc);
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
  if (!up) ++ports_[index(at)].times_down;
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
    retrain(at);
  }
}

/// Both ends go down and come up again. What a Set does to its own port is no PortStateChange (IBA
/// 1.3 §14.2.5.4); the far end's is.
void EmulatedSubnet::retrain(PortAt at) {
  negotiate(at, peer(at));
  nodes_[at.node].port(at.port).link(true);
  report_link(peer(at), false);
  report_link(peer(at), true);
}

bool EmulatedSubnet::carries_data(PortAt at) const {
  if (!cabled(at) || !up(at)) return false;
  const PortAt far = peer(at);
  return nodes_[at.node].port(at.port).state() == PortState::kActive &&
         nodes_[far.node].port(far.port).state() >= PortState::kArmed;
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
  const std::string where = in_quotes(name);
  // Names may hold ':' and '/', so each place is tried.
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
