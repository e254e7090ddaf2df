// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `tree`: all paths along one spanning tree, Up/Down as Kim 2007 §3.1 means it ("allows to use
// channels in a spanning tree only"). Other cables stay unused, also where up*/down* would permit
// them. The authors tried three roots and took the best (§5.1); here the three switches of lowest
// mean distance are tried, and the tree whose busiest channel carries least is taken. So it serves
// to compare: updn uses all cables, also on one VL.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/tables/bandwidth.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kRootsTried = 3;

class TreeRouter {
 public:
  TreeRouter(const Fabric& fabric, const Components& pieces, const SpanningTree& up)
      : fabric_(fabric), pieces_(pieces), up_(up), tables_(fabric) {
    down_.resize(fabric.num_switches());
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (up[s] != kNoChannel) down_[fabric.target(up[s])].push_back(s);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (up[s] == kNoChannel) add_below(s);
  }

  Tables run(const EngineProgress& progress) && {
    for (SwitchId t = 0; t < fabric_.num_switches(); ++t) {
      if (fabric_.node(t).failed) continue;
      find_ports(t);
      if (fabric_.node(t).lid != kNoLid) write(t, fabric_.node(t).lid, 0);
      for (const HostId h : fabric_.hosts_at(t)) {
        const Host& host = fabric_.host(h);
        for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i)
          write(t, static_cast<Lid>(host.lid + i), host.port);
      }
      if (progress) progress(t + 1, fabric_.num_switches());
    }
    return std::move(tables_);
  }

 private:
  /// Appends `root` and the switches below it, each after its parent.
  void add_below(SwitchId root) {
    const std::size_t begin = downwards_.size();
    downwards_.push_back(root);
    for (std::size_t i = begin; i < downwards_.size(); ++i)
      downwards_.insert(downwards_.end(), down_[downwards_[i]].begin(), down_[downwards_[i]].end());
  }

  /// Sets port_ to each switch's port towards t: up, except on the way from the root down to t.
  void find_ports(SwitchId t) {
    port_.assign(fabric_.num_switches(), kNoPort);
    for (const SwitchId s : downwards_)
      if (pieces_.of[s] == pieces_.of[t] && up_[s] != kNoChannel)
        port_[s] = fabric_.port_of(up_[s]);
    port_[t] = kNoPort;
    for (SwitchId s = t; up_[s] != kNoChannel; s = fabric_.target(up_[s]))
      port_[fabric_.target(up_[s])] = fabric_.port_of(fabric_.peer(up_[s]));
  }

  void write(SwitchId t, Lid lid, PortNum last) {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) tables_.set_next(s, lid, port_[s]);
    tables_.set_next(t, lid, last);
  }

  const Fabric& fabric_;
  const Components& pieces_;
  const SpanningTree& up_;
  Tables tables_;
  std::vector<std::vector<SwitchId>> down_;
  std::vector<SwitchId> downwards_;
  std::vector<PortNum> port_;
};

/// The switches of the largest component, those of lowest mean distance first.
std::vector<SwitchId> roots_to_try(const SwitchGraph& graph, const Components& pieces,
                                   const std::vector<std::uint64_t>& sums) {
  std::uint32_t largest = 0;
  for (std::uint32_t c = 1; c < pieces.count(); ++c)
    if (pieces.first[c + 1] - pieces.first[c] > pieces.first[largest + 1] - pieces.first[largest])
      largest = c;
  std::vector<SwitchId> roots(pieces.members.begin() + pieces.first[largest],
                              pieces.members.begin() + pieces.first[largest + 1]);
  std::ranges::sort(roots, {}, [&](SwitchId s) { return std::tuple(sums[s], s); });
  roots.resize(std::min({roots.size(), kRootsTried, std::size_t{graph.num_switches()}}));
  return roots;
}

Routing compute_tree(const Fabric& fabric, const EngineRequest& request) {
  Routing routing;
  if (fabric.num_switches() == 0) {
    routing.tables = Tables(fabric);
    routing.multicast.emplace();
    return routing;
  }
  if (request.root && (*request.root >= fabric.num_switches() || fabric.node(*request.root).failed))
    throw InputError(fmt::format("switch {} is no switch that works", *request.root),
                     "root of tree", "choose another, or let the engine choose");
  const SwitchGraph graph = make_switch_graph(fabric);
  const Components pieces = components(graph);
  const std::vector<std::uint64_t> sums = distance_sums(graph);
  const std::vector<SwitchId> roots =
      request.root ? std::vector<SwitchId>{*request.root} : roots_to_try(graph, pieces, sums);
  const EngineRequest::Tree kind = request.tree == EngineRequest::Tree::kDfs
                                       ? EngineRequest::Tree::kDfs
                                       : EngineRequest::Tree::kBfs;
  std::uint64_t least = UINT64_MAX;
  SwitchId best = roots.front();
  for (const SwitchId root : roots) {
    Orientation orientation = orient(fabric, graph, pieces, kind, root, sums);
    Tables tables = TreeRouter(fabric, pieces, orientation.tree).run(request.progress);
    const std::uint64_t load = base_channel_load_max(fabric, tables);
    if (load >= least && routing.multicast) continue;
    least = load;
    best = root;
    routing.tables = std::move(tables);
    routing.multicast = std::move(orientation.tree);
  }
  std::uint64_t used = 0;
  for (const Channel up : *routing.multicast) used += up != kNoChannel ? 1 : 0;
  routing.remarks.push_back(
      fmt::format("root of the tree: {}; {} of {} cables are in it, the others carry nothing",
                  fabric.node(best).name, used, fabric.links().size()));
  return routing;
}

}  // namespace

extern const Engine kTree = {
    .name = "tree",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "all paths follow one spanning tree, so their dependencies have no cycle, whatever "
                "the SLs, replies and multicast included (Up/Down as Kim 2007 §3.1 has it)",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, "
                "once they are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; all LIDs of a host have one path",
            .memory = "O(N·D) bytes of LFTs, else O(N + E)",
            .time = "O(N·E + N·D) for each of three roots",
            .after_a_fault = "LIDs and SLs stay; any route may change",
            .deadlock_free = true,
        },
    .compute = &compute_tree,
};

}  // namespace selvedge
