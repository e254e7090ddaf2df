// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up*/down* (Schroeder et al. 1991; Montañana 2008 §2.1.7): orientation.hpp gives every cable an
// upper end, up_down_phases.hpp says which next hops a switch may take, balance.hpp takes one. Where
// the fabric is a tree, its levels give the order and tree_router.hpp the tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/balance.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/fat_tree.hpp"
#include "plugin/engines/orientation.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/up_down_phases.hpp"

namespace selvedge {
namespace {

void check(const Fabric& fabric, const EngineRequest& request) {
  if (fabric.num_switches() >= UINT16_MAX)
    throw InputError(fmt::format("the fabric has {} switches", fabric.num_switches()), "updn",
                     fmt::format("a subnet has LIDs for {}; split it", unsigned{kMaxUnicastLid}));
  if (!request.root) return;
  if (*request.root >= fabric.num_switches())
    throw InputError(fmt::format("there is no switch {}", *request.root), "root of updn",
                     fmt::format("the fabric has {} switches", fabric.num_switches()));
  if (fabric.node(*request.root).failed)
    throw InputError(fmt::format("switch \"{}\" has failed", fabric.node(*request.root).name),
                     "root of updn", "choose a switch that works, or let the engine choose");
}

std::vector<std::string> remarks(const Fabric& fabric, const Components& pieces,
                                 const Orientation& orientation) {
  std::vector<std::string> lines;
  std::vector<std::string_view> roots;
  for (const SwitchId root : orientation.roots) {
    const std::uint32_t p = pieces.of[root];
    if (pieces.first[p + 1] - pieces.first[p] > 1) roots.push_back(fabric.node(root).name);
  }
  constexpr std::size_t kShown = 4;
  if (!roots.empty())
    lines.push_back(fmt::format(
        "root of the spanning tree: {}{}",
        fmt::join(roots.begin(), roots.begin() + std::min(roots.size(), kShown), ", "),
        roots.size() > kShown ? fmt::format(" and {} more", roots.size() - kShown) : ""));
  if (roots.size() > 1)
    lines.push_back(
        fmt::format("the fabric is in {} pieces; each is routed by itself", roots.size()));
  return lines;
}

Routing compute(const Fabric& fabric, const EngineRequest& request) {
  check(fabric, request);
  if (request.tree == EngineRequest::Tree::kBfs && !request.root) {
    std::string why;
    if (std::optional<FatTree> tree = find_fat_tree(fabric, request.hints, why)) {
      Routing routing;
      routing.tables = route_fat_tree(fabric, *tree, request.progress);
      routing.remarks = tree_remarks(fabric, *tree);
      routing.multicast = std::move(tree->order.tree);
      return routing;
    }
  }
  const SwitchGraph bare = make_switch_graph(fabric);
  const Components pieces = components(bare);
  Orientation orientation = orient(fabric, bare, pieces, request.tree, request.root);
  const SwitchGraph graph = directed(bare, orientation.rank);

  Balancer balancer(fabric, graph);
  UpDownPhases phases(graph, orientation);
  UpDownHops collector(graph);
  std::vector<SwitchId> destinations;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed) destinations.push_back(s);

  for (std::size_t base = 0; base < destinations.size(); base += UpDownPhases::kTile) {
    const std::span<const SwitchId> tile(destinations.data() + base,
                                         std::min(UpDownPhases::kTile, destinations.size() - base));
    phases.compute(tile);
    for (std::size_t k = 0; k < tile.size(); ++k)
      balancer.route(tile[k], collector.collect(phases.keys(k)));
    if (request.progress) request.progress(base + tile.size(), destinations.size());
  }

  Routing routing;
  routing.tables = std::move(balancer).finish();
  routing.remarks = remarks(fabric, pieces, orientation);
  routing.multicast = std::move(orientation.tree);
  return routing;
}

}  // namespace

extern const Engine kUpdn = {
    .name = "updn",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "no path turns from a down channel into an up channel, so that the channel "
                "dependency graph is acyclic whatever the SLs, replies included; in each piece "
                "of the fabric every two switches with hosts have a path",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, "
                "once they are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; the LIDs of a host have paths of one length, spread over the links",
            .memory = "O(N·D) bytes of LFTs, else O(N + E)",
            .time = "O(N·E·min(diameter, 256)/256 + D·(N + E))",
            .after_a_fault =
                "LIDs and SLs stay; the root may move if it or the distances change, and "
                "with it any route",
            .deadlock_free = true,
        },
    .compute = &compute,
};

}  // namespace selvedge
