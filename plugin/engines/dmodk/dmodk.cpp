// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// d-mod-k: destination-based shuffling in fat trees (Gómez, Gilabert, Gómez, López & Duato 2007
// §4), for every XGFT, for damaged XGFTs, and for irregular trees. Reading order: fabric/levels.hpp
// and tree/levels.hpp (which cables go up), fat_tree.hpp (whether a fabric is a tree),
// tree/order.hpp (an order by which all switches reach each other), tree/columns.hpp (the digits),
// dmodk/destinations.hpp (the numbers of destinations), tree/router.hpp (the tables;
// dmodk/router.hpp if the tree is complete).
//
// Deadlock freedom: every path is an up*/down* path in the order of tree/order.hpp. Between leaf
// switches a path goes up by levels, then down. If there is no such path, it goes over one further
// leaf switch.
#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

Routing compute_dmodk(const Fabric& fabric, const EngineRequest& request) {
  std::string why;
  std::optional<FatTree> tree = find_fat_tree(fabric, request.hints, why);
  if (!tree) {
    const Regularity form = recognise(fabric);
    throw InputError(fmt::format("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is {}",
                                 form.regular() ? form.describe() : "an irregular graph"),
                     why, "choose updn, which routes every topology");
  }
  Routing routing;
  routing.tables = route_fat_tree(fabric, *tree, request.progress, request.balance);
  routing.remarks = tree_remarks(fabric, *tree, request.balance);
  routing.multicast = std::move(tree->order.tree);
  return routing;
}

}  // namespace

extern const Engine kDmodk = {
    .name = "dmodk",
    .facts =
        {
            .topologies =
                "fat trees (k-ary n-trees, folded Clos, every XGFT), also with unequal leaf "
                "switches, with cables or switches missing, and with hosts on any switch",
            .theorem =
                "no path turns from a down channel into an up channel, in an order of the switches "
                "with one maximum, so that the channel dependency graph is acyclic whatever the "
                "SLs, replies included, and every host reaches every other host; in a complete "
                "tree whose "
                "hosts are a multiple of its ways up at every level, all links of a stage carry "
                "the same number of paths, and each LID a shortest one",
            .tolerated_faults =
                "with LMC n, the LIDs of a host take different parents at every leaf switch that "
                "has 2^n of them: in a complete tree 2^n - 1 cables between switches, or that "
                "many switches without hosts, cut no pair of different leaf switches off; any that "
                "leave the fabric connected, once the tables are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; disjoint between leaf switches as far as these have parents",
            .memory = "O(N·D) bytes of LFTs, else O(N + E + D) and a bit for each switch and leaf",
            .time = "O(N·D); with damage O(E·D) at most",
            .after_a_fault =
                "LIDs and SLs stay; of base LIDs a lost cable moves only paths that it carried; a "
                "lost switch moves those of its column, and a leaf switch or a host that is added "
                "or removed renumbers the hosts after it",
            .deadlock_free = true,
        },
    .compute = &compute_dmodk,
};

}  // namespace selvedge
