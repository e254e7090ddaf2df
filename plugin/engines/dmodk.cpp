// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// d-mod-k: destination-based shuffling in fat trees (Gómez, Gilabert, Gómez, López & Duato 2007
// §4), for every XGFT and for what damage leaves of one. Reading order: tree_levels.hpp (which way
// is up), tree_columns.hpp (the digits), dmodk_destinations.hpp (the numbers), dmodk_router.hpp
// (the tables). This file says what is a tree and what the engine promises.
//
// Deadlock. Every path goes up by levels, then down. A table entry that goes up belongs to a switch
// that does not reach the destination going down, one that goes down leads to a switch that does:
// so no entry turns from a down channel into an up channel, for any LID and any incoming port. The
// channels that go up are ordered by levels, and so are those that go down (Dally & Seitz 1987).
//
// Levels are not orientation.hpp's: those are distances alone, under which an idle leaf switch
// counts as a spine and its LID is out of reach (tree_levels.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/dmodk_multicast.hpp"
#include "plugin/engines/dmodk_router.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree_columns.hpp"
#include "plugin/engines/tree_levels.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

[[noreturn]] void refuse(const Regularity& form, const std::string& where) {
  throw InputError(fmt::format("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is {}",
                               form.regular() ? form.describe() : "an irregular graph"),
                   where, "choose updn, which routes every topology");
}

std::string describe(const Fabric& fabric, const LevelClash& clash) {
  const std::string ends = fmt::format("{} - {}", fabric.port_name(clash.cable),
                                       fabric.port_name(fabric.peer(clash.cable)));
  if (clash.level == 0)
    return fmt::format("cable {} joins two switches that both have hosts", ends);
  return fmt::format("cable {} joins two switches that are both {} from the nearest hosts' switch",
                     ends, clash.level == 1 ? "one cable" : fmt::format("{} cables", clash.level));
}

/// Up, then down must join what is there: some pairs are lost to damage, most are not. And a torus
/// or a mesh with hosts at every other switch is layered too.
void check(const Fabric& fabric, const DmodkRoutes& routes) {
  if (routes.pairs_apart == 0) return;
  const std::string where = fmt::format(
      "{} of {} ordered pairs of switches with hosts have no path that goes up, then down",
      routes.pairs_apart, routes.leaf_pairs);
  const Regularity form = recognise(fabric);
  if (2 * routes.pairs_apart > routes.leaf_pairs || form.kind == Regularity::Kind::kTorus ||
      form.kind == Regularity::Kind::kMesh)
    refuse(form, where);
}

std::vector<std::string> remarks(const TreeLevels& tree, const TreeColumns& columns,
                                 const DmodkRoutes& routes, bool multicast) {
  std::vector<std::string> lines;
  const auto lacking = std::ranges::count_if(tree.order, [&](SwitchId s) {
    return tree.reached[s] > 0 && !tree.is_top(s) && columns.cables[s] == TreeColumns::kMixed;
  });
  if (!tree.order.empty()) {
    const std::int32_t levels = tree.level[tree.order.front()] - tree.level[tree.order.back()] + 1;
    lines.push_back(fmt::format("a tree of {} level{}", levels, levels == 1 ? "" : "s"));
  }
  if (lacking > 0)
    lines.push_back(
        fmt::format("{} of {} switches lack cables to go up by", lacking, tree.order.size()));
  if (routes.hosts_apart > 0)
    lines.push_back(
        fmt::format("{} ordered pairs of hosts have no path that goes up, then down, and are not "
                    "routed; updn would route them",
                    routes.hosts_apart));
  if (routes.switch_lids_apart > 0)
    lines.push_back(
        fmt::format("{} LIDs of switches without hosts, counted once for each switch with hosts, "
                    "have no path from there",
                    routes.switch_lids_apart));
  if (!multicast)
    lines.push_back(
        "no multicast tree of all hosts goes with these tables: too many switches have lost the "
        "way down to some of them");
  return lines;
}

Routing compute(const Fabric& fabric, const EngineRequest& request) {
  LevelClash clash{};
  const std::optional<TreeLevels> tree = find_tree_levels(fabric, clash);
  if (!tree) refuse(recognise(fabric), describe(fabric, clash));
  if (tree->leaves.empty() && !fabric.links().empty())
    refuse(recognise(fabric), "no switch has a host");
  const TreeColumns columns = find_tree_columns(*tree);

  DmodkRoutes routes = route_dmodk(fabric, *tree, columns, request.progress);
  check(fabric, routes);
  Routing routing;
  routing.multicast = dmodk_spanning_tree(fabric, *tree);
  routing.remarks = remarks(*tree, columns, routes, routing.multicast.has_value());
  routing.tables = std::move(routes.tables);
  return routing;
}

}  // namespace

extern const Engine kDmodk = {
    .name = "dmodk",
    .facts =
        {
            .topologies =
                "fat trees (k-ary n-trees, folded Clos, every XGFT), also with cables or switches "
                "missing; hosts at the leaf switches only",
            .theorem =
                "no path turns from a down channel into an up channel, so that the channel "
                "dependency graph is acyclic whatever the SLs, replies included; in a complete "
                "tree whose hosts are a multiple of its ways up at every level, all links of a "
                "stage carry the same number of paths, and each LID a shortest one",
            .tolerated_faults =
                "with LMC n, the LIDs of a host take different parents at every leaf switch that "
                "has 2^n of them: in a complete tree 2^n - 1 cables between switches, or that "
                "many switches without hosts, cut no pair of different leaf switches off; any "
                "faults that leave each pair a way up, then down, once the tables are computed "
                "again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; disjoint between leaf switches as far as these have parents",
            .memory = "O(N·D) bytes of LFTs, else O(N + E + D) and a bit for each switch and leaf",
            .time = "O(N·D); with damage O(E·D) at most",
            .after_a_fault =
                "LIDs and SLs stay; a lost cable moves only paths of the LIDs that it carried; a "
                "lost switch moves those of its column, and a leaf switch or a host that comes or "
                "goes renumbers the hosts after it",
            .deadlock_free = true,
        },
    .compute = &compute,
};

}  // namespace selvedge
