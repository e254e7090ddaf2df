// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR and A-SPFTR, (asymmetric) scalable pattern-based fault-tolerant routing (Montañana 2008
// §4.3): 2n switch-disjoint paths between any two switches of an n-D torus, with 2 VLs and 4 SLs
// whatever the size; A-SPFTR does with 3 SLs in 2D. The SL2VL tables are the thesis'
// (spftr_tables.hpp). The thesis prints route patterns for them and leaves open how many DLIDs they
// take and which SL a pair uses. Here both lay, on 2D tori, trees that stretch with the torus
// (stretched_columns.hpp). Where there are none (spftr_trees.hpp) the paths are searched for under
// the same tables and packed into trees as they are found (path_columns.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "plugin/engines/column_writer.hpp"
#include "plugin/engines/cube_symmetry.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/path_columns.hpp"
#include "plugin/engines/spftr_lattice.hpp"
#include "plugin/engines/stretched_columns.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

/// Up to so many switches, paths are searched for wherever the stretched trees don't do as they are
/// (cables are missing, or LIDs): seconds, and more disjoint paths than trees that are mended.
constexpr std::uint32_t kSearchable = 128;
/// On more switches than these, 64 LIDs a host are asked for in 3D: 8×8×8 took up to 39 in trials.
constexpr std::uint32_t kMostAtLmc5 = 7 * 7 * 7;

void check(const EngineRequest& request, const char* engine, unsigned sls) {
  if (request.max_vls < 2 || request.max_sls < sls)
    throw InputError(fmt::format("{} needs 2 VLs and {} SLs", engine, sls),
                     fmt::format("there are {} and {}", request.max_vls, request.max_sls),
                     "allow it so many, or use updn (1 VL, 1 SL) or tftr (as many as there are)");
}

Routing route(const Fabric& fabric, const EngineRequest& request, const char* engine,
              unsigned most_dimensions, LatticeRules (*make_rules)(unsigned),
              const spftr::TreeStore& trees) {
  const SwitchGraph graph = make_switch_graph(fabric);
  const Lattice lattice = find_torus(fabric, graph, engine, most_dimensions);
  const LatticeRules law = make_rules(lattice.dimensions());
  check(request, engine, law.sls);
  const TurnRules rules = turn_rules(lattice, graph, law);

  unsigned lmc = 0, most_used = 1;
  for (const Host& host : fabric.hosts()) lmc = std::max<unsigned>(lmc, host.lmc);
  std::vector<SwitchId> with_hosts;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed && !fabric.hosts_at(s).empty()) with_hosts.push_back(s);

  const std::vector<Arc> tree = tree_of(lattice, fabric.num_switches());
  const unsigned columns = std::min(1u << lmc, kMaxColumns);
  spftr::TreeBook book(trees);
  std::optional<StretchedColumns> stretched;
  if (lattice.dimensions() == 2 && StretchedColumns::serves(lattice, book))
    stretched.emplace(graph, lattice, rules, book, columns);
  PathCandidates candidates(graph, rules, lattice.kinds);
  PackRequest pack;
  pack.columns = columns;
  pack.make_room = lattice.dimensions() > 2 || !trees.exchangeable;  // table 4.3: few paths fit
  pack.more_before_first = true;  // a few pairs on tori from 7×7 on
  PathColumns packed(graph, rules, candidates, tree, pack);
  const CubeSymmetry cube(graph, lattice, rules);
  const bool by_images = cube.holds() && with_hosts.size() == fabric.num_switches();

  ColumnWriter writer(fabric, graph, rules);
  const bool searchable = fabric.num_switches() <= kSearchable;
  std::uint64_t shortfall = 0, written = 0, mended = 0, copies = 0;
  bool few_columns = false;
  for (SwitchId d = 0; d < fabric.num_switches(); ++d) {
    if (fabric.node(d).failed || (by_images && !cube.leads(d))) continue;
    ++written;
    const Columns* laid = stretched ? stretched->towards(d) : nullptr;
    const bool few = laid != nullptr && laid->used < stretched->wanted();
    if (laid != nullptr && (!searchable || (stretched->mended() == 0 && !few))) {
      writer.write(d, *laid);
      most_used = std::max(most_used, laid->used - stretched->copies());
      mended += stretched->mended();
      copies += stretched->copies();
      few_columns |= few;
    } else {
      packed.pack(d, with_hosts, fabric.hosts_at(d).empty() ? 1 : 2 * lattice.dimensions());
      const Columns found = packed.columns();
      writer.write(d, found);
      most_used = std::max(most_used, packed.used());
      std::size_t times = 1;
      if (by_images)
        for (const CubeSymmetry::Image& image : cube.images(d)) {
          if (image.destination == d) continue;
          writer.write(image.destination, cube.image(found, image.exchange));
          ++times;
        }
      shortfall += times * packed.shortfall();
      written += times - 1;
    }
    if (request.progress) request.progress(by_images ? written : d + 1, fabric.num_switches());
  }
  Routing routing;
  if (mended > 0)
    routing.remarks.push_back(fmt::format(
        "damage: {} trees no longer reached all switches: {} were mended, {} are copies of their "
        "switch's first one; pairs have fewer disjoint paths for it",
        mended, mended - copies, copies));
  if (few_columns)
    routing.remarks.push_back(fmt::format(
        "LMC {}: fewer LIDs than the trees that give every pair four disjoint paths; with LMC 4 "
        "there are enough",
        lmc));
  if (shortfall > 0)
    routing.remarks.push_back(fmt::format(
        "LMC {}: the pairs of switches lack {} of the disjoint paths that the fabric has for them",
        lmc, shortfall));
  routing.tables = std::move(writer).finish();
  routing.remarks.push_back(fmt::format(
      "LIDs of a host that have paths of their own: at most {} of {}", most_used, 1u << lmc));
  return routing;
}

Routing compute_spftr(const Fabric& fabric, const EngineRequest& request) {
  return route(fabric, request, "spftr", 3, &spftr_rules, spftr::spftr_trees());
}

Routing compute_aspftr(const Fabric& fabric, const EngineRequest& request) {
  return route(
      fabric, request, "aspftr", 2, [](unsigned) { return aspftr_rules(); }, spftr::aspftr_trees());
}

/// In 2D there are 15 stretched trees at most, and column 0 makes 16. In 3D 6×6×6 takes 28; larger
/// ones get 64 where a subnet has the LIDs for it.
unsigned spftr_lmc(const Fabric& fabric) {
  if (recognise(fabric).sizes.size() == 2) return 4;
  const bool go_round = host_lids(fabric, 6).last <= kMaxUnicastLid;
  return fabric.num_switches() > kMostAtLmc5 && go_round ? 6 : 5;
}

/// Likewise; by search, which is left for dimensions below 5, up to 30 were needed.
unsigned aspftr_lmc(const Fabric& fabric) {
  const std::vector<unsigned> sizes = recognise(fabric).sizes;
  return std::ranges::any_of(sizes, [](unsigned k) { return k < 5; }) && fabric.num_switches() > 49
             ? 5
             : 4;
}

}  // namespace

extern const Engine kSpftr = {
    .name = "spftr",
    .facts =
        {
            .topologies = "tori of 2 and 3 dimensions, also with some links or switches missing",
            .theorem =
                "every path is admitted by Montañana's Table 4.2, so that the channel dependency "
                "graph is acyclic with 2 VLs and 4 SLs at any size; on 2D tori from 4×4 on every "
                "pair has 4 switch-disjoint paths: all sizes to 20×20 are proved in the tests, and "
                "wider ones have the same trees, stretched; 6 on 4×4×4 to 6×6×6",
            .tolerated_faults =
                "2n − 1 of links or switches on an n-D torus, with the tables as they are, where "
                "every pair has its 2n paths",
            .vls = "2",
            .sls = "4",
            .lmc =
                "4 on 2D tori, else 5, or 6 on more than 343 switches (with less: fewer disjoint "
                "paths)",
            .memory = "O(N·D) bytes of LFTs and SLs, else O(N) of one destination",
            .time = "O(N·D) on 2D tori: 20×20 in less than 0.1 s; in 3D O(N²) bounded searches",
            .after_a_fault =
                "pairs whose other paths work need no change; computed anew, any route and SL may "
                "change",
            .deadlock_free = true,
        },
    .compute = &compute_spftr,
    .lmc = &spftr_lmc,
};

extern const Engine kAspftr = {
    .name = "aspftr",
    .facts =
        {
            .topologies = "2D tori, also with some links or switches missing",
            .theorem =
                "as spftr, by Table 4.3: 2 VLs and 3 SLs at any size, 4 switch-disjoint paths for "
                "every pair from 5×5 on: all sizes to 20×20 are proved in the tests, and wider "
                "ones have the same trees, stretched",
            .tolerated_faults = "3 links or switches, with the tables as they are",
            .vls = "2",
            .sls = "3",
            .lmc = "4; 5 where a dimension is less than 5 (with less: fewer disjoint paths)",
            .memory = "O(N·D) bytes of LFTs and SLs, else O(N) of one destination",
            .time = "O(N·D), 20×20 in some 0.1 s; where a dimension is less than 5, O(N²) bounded "
                    "searches",
            .after_a_fault =
                "pairs whose other paths work need no change; computed anew, any route and SL may "
                "change",
            .deadlock_free = true,
        },
    .compute = &compute_aspftr,
    .lmc = &aspftr_lmc,
};

}  // namespace selvedge
