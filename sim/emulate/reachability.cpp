// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/reachability.hpp"

namespace selvedge::sim {
namespace {

/// For each switch the lowest id in its connected component, by the links that are up; kApart for a
/// switch that is off.
std::vector<std::uint32_t> components(const EmulatedSubnet& subnet) {
  std::vector<std::uint32_t> component(subnet.num_switches(), kApart);
  std::vector<NodeId> queue;
  for (NodeId first = 0; first < subnet.num_switches(); ++first) {
    if (component[first] != kApart || !subnet.running(first)) continue;
    component[first] = first;
    queue.assign(1, first);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (unsigned p = 1; p <= subnet.agent(queue[i]).num_ports(); ++p) {
        const PortAt at{queue[i], static_cast<PortNum>(p)};
        if (!subnet.cabled(at) || !subnet.up(at)) continue;
        const NodeId next = subnet.peer(at).node;
        if (next >= subnet.num_switches() || component[next] != kApart) continue;
        component[next] = first;
        queue.push_back(next);
      }
  }
  return component;
}

class Walks {
 public:
  explicit Walks(const EmulatedSubnet& subnet) : subnet_(subnet), ends_(kMinMulticastLid) {}

  /// Where packets to this LID end if they are at switch `at`; node kNoNode if they do not arrive.
  PortAt end(NodeId at, Lid dlid) {
    std::vector<PortAt>& ends = ends_[dlid];
    if (ends.empty()) ends.assign(subnet_.num_switches(), kUnknown);
    way_.clear();
    PortAt result = kUnknown;
    while (result == kUnknown) {
      result = ends[at];
      if (result != kUnknown) break;
      ends[at] = PortAt{};  // a loop ends nowhere
      way_.push_back(at);
      const PortNum out = subnet_.agent(at).forward(dlid);
      const PortAt port{at, out};
      if (out == kNoPort || out == 0 || !subnet_.exists(port) || !subnet_.carries_data(port)) {
        result = PortAt{};
        break;
      }
      const PortAt next = subnet_.peer(port);
      if (next.node < subnet_.num_switches())
        at = next.node;
      else
        result = next;
    }
    for (const NodeId s : way_) ends[s] = result;
    return result;
  }

 private:
  static constexpr PortAt kUnknown{kNoNode, 1};
  const EmulatedSubnet& subnet_;
  std::vector<std::vector<PortAt>> ends_;  // [DLID][switch]
  std::vector<NodeId> way_;
};

}  // namespace

std::vector<std::uint32_t> host_components(const EmulatedSubnet& subnet,
                                           const std::vector<PortAt>& ports) {
  const std::vector<std::uint32_t> component = components(subnet);
  std::vector<std::uint32_t> of_host(ports.size(), kApart);
  for (std::size_t h = 0; h < ports.size(); ++h) {
    if (ports[h].node == kNoNode || !subnet.up(ports[h])) continue;
    if (const NodeId next = subnet.peer(ports[h]).node; next < subnet.num_switches())
      of_host[h] = component[next];
  }
  return of_host;
}

std::uint64_t count_unrouted(const EmulatedSubnet& subnet, const std::vector<PortAt>& ports,
                             const std::vector<PathAnswer>& paths) {
  const std::vector<std::uint32_t> component = host_components(subnet, ports);
  Walks walks(subnet);
  std::uint64_t unrouted = 0;
  for (std::size_t from = 0; from < ports.size(); ++from)
    for (std::size_t to = 0; to < ports.size(); ++to) {
      if (from == to || component[from] == kApart || component[from] != component[to]) continue;
      const Lid dlid = paths[from * ports.size() + to].dlid;
      const bool arrives = dlid != kNoLid && dlid < kMinMulticastLid &&
                           subnet.carries_data(ports[from]) &&
                           walks.end(subnet.peer(ports[from]).node, dlid) == ports[to];
      unrouted += !arrives;
    }
  return unrouted;
}

}  // namespace selvedge::sim
