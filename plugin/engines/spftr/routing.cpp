// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "plugin/engines/column_writer.hpp"
#include "plugin/engines/disjoint/path_columns.hpp"
#include "plugin/engines/spftr/cube_symmetry.hpp"
#include "plugin/engines/spftr/lattice.hpp"
#include "plugin/engines/spftr/stretched_columns.hpp"

namespace selvedge {
namespace {

/// On fabrics of up to this many switches, paths to a destination are searched if faults or a low
/// LMC prevent using its precomputed trees unchanged. The search takes seconds, but gives more
/// disjoint paths than moving cut-off switches to other links of those trees.
constexpr std::uint32_t kSearchable = 128;

void check(const EngineRequest& request, const char* engine, unsigned sls) {
  if (request.max_vls < 2 || request.max_sls < sls)
    throw InputError(fmt::format("{} needs 2 VLs and {} SLs", engine, sls),
                     fmt::format("there are {} and {}", request.max_vls, request.max_sls),
                     "allow as many, or use updn (1 VL, 1 SL) or tftr (as many as there are)");
}

}  // namespace

Routing route_by_patterns(const Fabric& fabric, const EngineRequest& request,
                          const PatternEngine& engine) {
  const SwitchGraph graph = make_switch_graph(fabric);
  const Lattice lattice = find_torus(fabric, graph, engine.name, engine.most_dimensions);
  const LatticeRules lattice_rules = engine.rules(lattice.dimensions());
  check(request, engine.name, lattice_rules.sls);
  const TurnRules rules = turn_rules(lattice, graph, lattice_rules);

  unsigned lmc = 0, most_used = 1;
  for (const Host& host : fabric.hosts()) lmc = std::max<unsigned>(lmc, host.lmc);
  std::vector<SwitchId> with_hosts;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed && !fabric.hosts_at(s).empty()) with_hosts.push_back(s);

  const std::vector<Arc> tree = tree_of(lattice, fabric.num_switches());
  const unsigned columns = std::min(1u << lmc, kMaxColumns);
  spftr::TreeCatalog catalog(engine.trees);
  std::optional<StretchedColumns> stretched;
  if (lattice.dimensions() == 2 && StretchedColumns::serves(lattice, catalog))
    stretched.emplace(graph, lattice, rules, catalog, columns);
  PathCandidates candidates(graph, rules, lattice.kinds);
  PackRequest pack;
  pack.columns = columns;
  pack.displace_paths =
      // A-SPFTR, whose trees are not exchangeable: its Table 4.3 admits few paths.
      lattice.dimensions() > 2 || !engine.trees.exchangeable;
  pack.more_before_first = true;  // matters to a few pairs, on tori from 7×7 on
  PathColumns packed(graph, rules, candidates, tree, pack);
  const CubeSymmetry cube(graph, lattice, rules);
  const bool by_images = cube.holds() && with_hosts.size() == fabric.num_switches();

  ColumnWriter writer(fabric, graph, rules);
  const bool searchable = fabric.num_switches() <= kSearchable;
  std::uint64_t shortfall = 0, written = 0, reattached = 0, copies = 0;
  bool few_columns = false;
  for (SwitchId d = 0; d < fabric.num_switches(); ++d) {
    if (fabric.node(d).failed || (by_images && !cube.leads(d))) continue;
    ++written;
    const Columns* laid = stretched ? stretched->towards(d) : nullptr;
    const bool few = laid != nullptr && laid->used < stretched->wanted();
    if (laid != nullptr && (!searchable || (stretched->reattached() == 0 && !few))) {
      writer.write(d, *laid);
      most_used = std::max(most_used, laid->used - stretched->copies());
      reattached += stretched->reattached();
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
  if (reattached > 0)
    routing.remarks.push_back(
        fmt::format("damage: {} trees no longer reached all switches: {} were reattached, {} are "
                    "copies of their "
                    "switch's first one; pairs have fewer disjoint paths for it",
                    reattached, reattached - copies, copies));
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
  routing.remarks.push_back(
      fmt::format("LIDs of a host with distinct paths: at most {} of {}", most_used, 1u << lmc));
  return routing;
}

}  // namespace selvedge
