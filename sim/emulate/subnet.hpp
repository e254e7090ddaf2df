// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet: nodes with their management agents, cables between their ports, and the
// failures of both. It holds no packets. A NodeId is an index; switches come first, then adapters.
//
// A link is up when its cable is not cut, both its nodes run, and neither port is disabled. Each
// change of a link is reported to the agents of both nodes, as the physical layer would. Switches
// whose ports changed are listed until take_changed(), so that a trap 128 can be sent for them.
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
  /// Whether data may leave by this port: the link is up, the port active, and the far one at least
  /// armed (IBA 1.3 §7.2.7).
  bool carries_data(PortAt at) const;
  /// How often the link at this port has gone down, but for what a Set did to the port itself.
  std::uint64_t times_down(PortAt at) const { return ports_[index(at)].times_down; }

  // --- Failures. `at`: either end of the cable.
  void cut(PortAt at);
  void heal(PortAt at);
  bool is_cut(PortAt at) const { return ports_[index(at)].cut; }
  void kill(NodeId n);
  /// Powers the node on again, with empty tables.
  void revive(NodeId n);
  /// Sets the share of packets that the cable loses.
  void set_loss(PortAt at, double share);
  double loss(PortAt at) const { return ports_[index(at)].loss; }

  /// Follows a Set(PortInfo) that an agent has executed: links retrain, go down, or poll again.
  void follow(NodeId n, const SmaChange& change);

  /// Switches whose ports changed since the last call, each once.
  std::vector<NodeId> take_changed();

  // --- Names
  /// The port to which a client attaches: by the node's description or the GUID of node or port, as
  /// ibsim's SIM_HOST; "" means the first adapter's first cabled port. kNoNode if there is none.
  PortAt find_host(std::string_view name) const;
  /// A node by its description, "S-<guid>", "H-<guid>" or a GUID with 0x. kNoNode if there is none,
  /// or if several nodes have the description.
  NodeId find_node(std::string_view name) const;
  /// One end of each cable that a user's text names: "S-0-0:2", or "S-0-0/S-0-1" for all parallel
  /// cables between two nodes. Throws InputError if there is no such cable.
  std::vector<PortAt> find_links(std::string_view name) const;

 private:
  struct Port {
    PortAt peer;
    bool cut = false, disabled = false, up = false;
    double loss = 0;
    std::uint64_t times_down = 0;
  };
  void add_node(NodeModel model);
  void join(PortAt a, PortAt b);
  void join_cables(const Fabric& fabric, const std::vector<PortAt>& host_port);
  void give_lids(const Fabric& fabric, const std::vector<PortAt>& host_port);
  void refresh(PortAt at);
  void negotiate(PortAt a, PortAt b);
  void report_link(PortAt at, bool up);
  void retrain(PortAt at);
  void changed(NodeId n);

  std::vector<Sma> nodes_;
  NodeId num_switches_ = 0;
  std::vector<bool> running_;
  std::vector<std::uint32_t> first_port_;
  std::vector<Port> ports_;
  std::vector<NodeId> changed_;
  std::vector<bool> is_changed_;
};

/// For each host of the subnet's fabric its port; PortAt{} for a host without a cable.
std::vector<PortAt> host_ports(const EmulatedSubnet& subnet, const Fabric& fabric);

}  // namespace selvedge::sim
