// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet: nodes with their management agents, cables between their ports, and what
// breaks. It holds no packets. Switches come first, then adapters; a node's number is its index.
//
// A link is up when its cable is not cut, both its nodes run, and neither port is disabled. Each
// change of a link is reported to both agents, as the physical layer would. Switches whose ports
// changed are listed until taken, so that a trap 128 can be sent for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "sim/control/sma.hpp"

namespace selvedge::sim {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

/// A port of a node; of a switch, 0 is its management port.
struct PortAt {
  NodeId node = kNoNode;
  PortNum port = 0;

  friend bool operator==(const PortAt&, const PortAt&) = default;
};

class EmulatedSubnet {
 public:
  /// `keep_lids`: nodes begin with the LIDs that the fabric has, else without any.
  EmulatedSubnet(const Fabric& fabric, bool keep_lids);

  NodeId num_nodes() const { return static_cast<NodeId>(nodes_.size()); }
  NodeId num_switches() const { return num_switches_; }
  Sma& agent(NodeId n) { return nodes_[n]; }
  const Sma& agent(NodeId n) const { return nodes_[n]; }
  const std::string& name(NodeId n) const { return nodes_[n].model().description; }
  bool running(NodeId n) const { return running_[n]; }

  // --- Ports, in one number space
  std::uint32_t index(PortAt at) const { return first_port_[at.node] + at.port; }
  std::uint32_t num_ports() const { return static_cast<std::uint32_t>(ports_.size()); }
  bool exists(PortAt at) const {
    return at.node < num_nodes() && at.port <= nodes_[at.node].num_ports();
  }
  bool up(PortAt at) const { return ports_[index(at)].up; }
  /// The far end of the cable, working or not; kNoNode without a cable.
  PortAt peer(PortAt at) const { return ports_[index(at)].peer; }
  bool cabled(PortAt at) const { return peer(at).node != kNoNode; }

  // --- What breaks. Each is done to a cable by either of its ends.
  void cut(PortAt at);
  void heal(PortAt at);
  bool is_cut(PortAt at) const { return ports_[index(at)].cut; }
  void kill(NodeId n);
  /// Switches it on again, with empty tables.
  void revive(NodeId n);
  /// Of packets that cross the cable, a share is lost.
  void set_loss(PortAt at, double share);
  double loss(PortAt at) const { return ports_[index(at)].loss; }

  /// Follows a Set(PortInfo) that an agent has executed: links retrain, go down, or poll again.
  void follow(NodeId n, const SmaChange& change);

  /// Switches whose ports changed since the last call, each once.
  std::vector<NodeId> take_changed();

  // --- Names
  /// The host of a client: by description, GUID of node or port, as ibsim's SIM_HOST. "": the first
  /// adapter's first cabled port. kNoNode if there is none, or if several have the name.
  PortAt find_host(std::string_view name) const;
  /// A node by its description, "S-<guid>", "H-<guid>" or a GUID with 0x.
  NodeId find_node(std::string_view name) const;
  /// Ends of cables as users write them: "S-0-0:2", "S-0-0/S-0-1" (all parallel ones). Throws
  /// InputError.
  std::vector<PortAt> find_links(std::string_view name) const;

 private:
  struct Port {
    PortAt peer;
    bool cut = false, disabled = false, up = false;
    double loss = 0;
  };
  void add_node(NodeModel model);
  void join(PortAt a, PortAt b);
  void refresh(PortAt at);
  void negotiate(PortAt a, PortAt b);
  void report_link(PortAt at, bool up);
  void changed(NodeId n);

  std::vector<Sma> nodes_;
  NodeId num_switches_ = 0;
  std::vector<bool> running_;
  std::vector<std::uint32_t> first_port_;
  std::vector<Port> ports_;
  std::vector<NodeId> changed_;
  std::vector<bool> is_changed_;
};

/// Per host of the subnet's fabric, its port; PortAt{} for one without a cable.
std::vector<PortAt> host_ports(const EmulatedSubnet& subnet, const Fabric& fabric);

}  // namespace selvedge::sim
