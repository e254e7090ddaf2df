// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up*/down* (Schroeder et al. 1991; Montañana 2008 §2.1.7). orientation.hpp determines the upper
// end of every cable, up_down_phases.hpp the next hops that a switch may take, and balance.hpp
// selects one of these. If the fabric is a fat tree, its levels give the order, and tree/router.hpp
// makes the tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/engines/tree/near_tree.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/engines/updn/up_down.hpp"
#include "plugin/tables/bandwidth.hpp"

namespace selvedge {
namespace {

void check(const Fabric& fabric, const EngineRequest& request) {
  if (fabric.num_switches() >= UINT16_MAX)
    throw InputError(fmt::format("the fabric has {} switches", fabric.num_switches()), "updn",
                     fmt::format("a subnet has LIDs for {}; split it", unsigned{kMaxUnicastLid}));
  check_root(fabric, request.root, "updn");
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

/// The orientations to try. Their roots are the switches of lowest mean distance in the largest
/// component, as many as kSteps permits. So routing with all of them takes about as long as routing
/// a thousand switches once.
std::vector<Orientation> candidates(const Fabric& fabric, const SwitchGraph& bare,
                                    const Components& pieces, const EngineRequest& request) {
  using Tree = EngineRequest::Tree;
  const std::vector<std::uint64_t> sums = distance_sums(bare);
  if (request.tree != Tree::kBest)
    return {orient(fabric, bare, pieces, request.tree, request.root, sums)};

  constexpr std::uint64_t kSteps = 40'000'000, kMostRoots = 8;
  std::vector<SwitchId> roots;
  if (request.root) {
    roots.push_back(*request.root);
  } else {
    std::uint32_t largest = 0;
    for (std::uint32_t p = 1; p < pieces.count(); ++p)
      if (pieces.first[p + 1] - pieces.first[p] > pieces.first[largest + 1] - pieces.first[largest])
        largest = p;
    roots.assign(pieces.members.begin() + pieces.first[largest],
                 pieces.members.begin() + pieces.first[largest + 1]);
    std::ranges::sort(roots, {}, [&](SwitchId s) { return std::tuple(sums[s], s); });
    const std::uint64_t once = std::uint64_t{fabric.num_switches() + fabric.num_hosts()} *
                               (fabric.num_switches() + bare.num_arcs() + 1);
    roots.resize(std::min<std::size_t>(
        roots.size(), std::clamp<std::uint64_t>(kSteps / (2 * once), 1, kMostRoots)));
  }
  std::vector<Orientation> orientations;
  for (const SwitchId root : roots)
    for (const Tree tree : {Tree::kBfs, Tree::kDfs})
      orientations.push_back(orient(fabric, bare, pieces, tree, root, sums));
  return orientations;
}

/// Remarks if the user requests a spanning tree or its root although the fabric is a fat tree. With
/// a BFS tree whose root is a top switch, the other top switches forward no packets: such a path
/// would go down, then up. A DFS tree may use more of them.
std::vector<std::string> spanning_remarks(const FatTree& tree) {
  const TreeLevels& t = tree.levels;
  const auto tops = std::ranges::count_if(
      t.order, [&](SwitchId s) { return t.is_top(s) && t.graph.first[s] != t.graph.first[s + 1]; });
  if (tops < 2) return {};
  return {fmt::format(
      "a spanning tree was requested, and the fabric is a fat tree: without a root, and with the "
      "tree \"best\", the levels would decide, which use all {} top switches; a spanning tree may "
      "use only one",
      tops)};
}

/// The tables by levels; in components that are no fat trees, those by the spanning tree.
Routing route_near_tree(const Fabric& fabric, NearTree& near, const Tables& spanning,
                        const SpanningTree& multicast, const EngineRequest& request) {
  Routing routing;
  routing.tables = route_fat_tree(near.left, near.tree, request.progress, request.balance);
  routing.remarks = near_tree_remarks(fabric, near);
  for (std::string& line : tree_remarks(near.left, near.tree, request.balance))
    routing.remarks.push_back(std::move(line));
  routing.multicast = std::move(near.tree.order.tree);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (!near.no_tree[s]) continue;
    (*routing.multicast)[s] = multicast[s];
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
      routing.tables.set_next(s, static_cast<Lid>(lid), spanning.next(s, static_cast<Lid>(lid)));
  }
  return routing;
}

Routing compute_updn(const Fabric& fabric, const EngineRequest& given) {
  check(fabric, given);
  EngineRequest request = given;
  Routing routing;
  std::optional<NearTree> near;
  std::string contradiction;
  if (request.tree == EngineRequest::Tree::kBest && !request.root) {
    std::string why;
    if (std::optional<FatTree> tree = find_fat_tree(fabric, request.hints, why)) {
      routing.tables = route_fat_tree(fabric, *tree, request.progress, request.balance);
      routing.remarks = tree_remarks(fabric, *tree, request.balance);
      routing.multicast = std::move(tree->order.tree);
      return routing;
    }
    near = find_near_tree(fabric, request.hints);
    if (!request.hints.empty())
      contradiction =
          fmt::format("with the given {} the fabric is no tree ({})",
                      request.hints.roots.empty() ? "compute or I/O nodes" : "roots", why);
    if (!request.hints.roots.empty()) request.root = request.hints.roots.front();
  } else if (std::string why; const auto tree = find_fat_tree(fabric, request.hints, why)) {
    routing.remarks = spanning_remarks(*tree);
  }
  if (fabric.num_switches() == 0) {
    routing.tables = Tables(fabric);
    routing.multicast.emplace();
    return routing;
  }

  const SwitchGraph bare = make_switch_graph(fabric, request.balance.weight);
  const Components pieces = components(bare);
  std::vector<Orientation> orientations = candidates(fabric, bare, pieces, request);
  Orientation* best = nullptr;
  std::unique_ptr<UpDown> routed;
  for (Orientation& orientation : orientations) {
    auto next = std::make_unique<UpDown>(fabric, bare, orientation, request.balance);
    next->route_base(request.progress);
    if (best != nullptr && next->cost() >= routed->cost()) continue;
    best = &orientation;
    routed = std::move(next);
  }
  routed->route_other_lids(request.progress);
  routing.tables = std::move(*routed).finish();
  if (near) {
    Routing by_levels = route_near_tree(fabric, *near, routing.tables, best->tree, request);
    if (base_channel_load_max(fabric, by_levels.tables) <=
        base_channel_load_max(fabric, routing.tables)) {
      if (!contradiction.empty())
        by_levels.remarks.insert(by_levels.remarks.begin(), contradiction);
      return by_levels;
    }
  }
  if (!contradiction.empty())
    routing.remarks.push_back(contradiction + ": a spanning tree decides");
  const std::vector<std::string> lines = remarks(fabric, pieces, *best);
  routing.remarks.insert(routing.remarks.end(), lines.begin(), lines.end());
  routing.multicast = std::move(best->tree);
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
    .compute = &compute_updn,
};

}  // namespace selvedge
