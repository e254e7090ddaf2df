// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `martinez`: the tables of fully adaptive InfiniBand switches (Martínez 2005 §4.1). A host's base
// LID has an up*/down* path, the escape path. Each further LID gives every switch one of its
// minimal ways: LIDs base + 1, base + 2, … the first, the second, …, from a way that differs from
// host to host, and then again the first. So with enough LIDs a switch has all its minimal ways.
//
// Packets carry base LIDs, and adaptive switches choose among the ports of all LIDs. Where switches
// are not adaptive, the paths of the further LIDs may deadlock; then the proof refuses them.
#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/switch_graph.hpp"

namespace selvedge {

extern const Engine kUpdn;

namespace {

constexpr std::uint32_t kFar = UINT32_MAX;

/// The minimal ways of all switches to one destination.
class MinimalWays {
 public:
  explicit MinimalWays(const SwitchGraph& graph) : graph_(graph), hops_(graph.num_switches()) {}

  void search(SwitchId destination) {
    std::ranges::fill(hops_, kFar);
    hops_[destination] = 0;
    reached_.assign(1, destination);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const SwitchId at = reached_[i];
      for (Arc a = graph_.first[at]; a < graph_.first[at + 1]; ++a)
        if (const SwitchId next = graph_.target[a]; hops_[next] == kFar) {
          hops_[next] = hops_[at] + 1;
          reached_.push_back(next);
        }
    }
  }
  /// The switches with a path to the destination, which is the first.
  const std::vector<SwitchId>& reached() const { return reached_; }
  /// The ports of the switch's ways, in ascending order; valid until the next call.
  const std::vector<PortNum>& of(SwitchId at) {
    ports_.clear();
    for (Arc a = graph_.first[at]; a < graph_.first[at + 1]; ++a)
      if (hops_[graph_.target[a]] + 1 == hops_[at]) ports_.push_back(graph_.port[a]);
    return ports_;
  }

 private:
  const SwitchGraph& graph_;
  std::vector<std::uint32_t> hops_;
  std::vector<SwitchId> reached_;
  std::vector<PortNum> ports_;
};

/// LIDs for the escape path and for every minimal way of any switch.
unsigned martinez_lmc(const Fabric& fabric) {
  const SwitchGraph graph = make_switch_graph(fabric);
  MinimalWays ways(graph);
  std::size_t most = 0;
  for (SwitchId to = 0; to < fabric.num_switches(); ++to) {
    if (fabric.node(to).failed || fabric.hosts_at(to).empty()) continue;
    ways.search(to);
    for (const SwitchId at : ways.reached()) most = std::max(most, ways.of(at).size());
  }
  unsigned lmc = 0;
  while (lmc < kMaxLmc && (std::size_t{1} << lmc) < most + 1) ++lmc;
  return lmc;
}

Routing compute_martinez(const Fabric& fabric, const EngineRequest& request) {
  Routing routing = kUpdn.compute(fabric, request);
  const SwitchGraph graph = make_switch_graph(fabric);
  MinimalWays ways(graph);
  bool missing = false, others = false;
  for (SwitchId to = 0; to < fabric.num_switches(); ++to) {
    if (fabric.node(to).failed || fabric.hosts_at(to).empty()) continue;
    ways.search(to);
    for (const SwitchId at : ways.reached()) {
      if (at == to) continue;  // updn has written the host's port for all LIDs
      const std::vector<PortNum>& ports = ways.of(at);
      for (const HostId h : fabric.hosts_at(to)) {
        const Host& host = fabric.host(h);
        if (host.lid == kNoLid) continue;
        const unsigned count = host.lid_count() - 1u;
        missing = missing || count < ports.size();
        others = others || count > 0;
        for (unsigned i = 0; i < count; ++i)
          routing.tables.set_next(at, static_cast<Lid>(host.lid + 1 + i),
                                  ports[(h + i) % ports.size()]);
      }
    }
  }
  if (others) {
    routing.multicast.reset();
    routing.remarks.push_back(
        "only for adaptive switches: packets carry base LIDs, and the paths of other LIDs may "
        "deadlock");
  }
  if (missing)
    routing.remarks.push_back(
        "some switches have more minimal ways than a host has further LIDs: "
        "give a larger LMC for all of them");
  return routing;
}

}  // namespace

extern const Engine kMartinez = {
    .name = "martinez",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "base LIDs have up*/down* paths, and every other LID leads each switch one hop "
                "nearer: with escape queues adaptive switches (Martínez 2005) cannot deadlock on "
                "base LIDs; switches that are not adaptive can, so only the simulator takes it",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, "
                "once they are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc =
                "enough for a LID for each minimal way of a switch, and one; any, with fewer ways",
            .memory = "O(N·D) bytes of LFTs, else O(N + E)",
            .time = "as updn, and O(N·E + N·D·2^LMC)",
            .after_a_fault = "LIDs and SLs stay; any route may change",
            .deadlock_free = false,
        },
    .compute = &compute_martinez,
    .lmc = &martinez_lmc,
};

}  // namespace selvedge
