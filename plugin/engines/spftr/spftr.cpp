// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR, scalable pattern-based fault-tolerant routing (Montañana 2008 §4.3): 2n switch-disjoint
// paths between any two switches of an n-D torus, with 2 VLs and 4 SLs for every size. The SL2VL
// tables are those of the thesis (spftr/tables.hpp). The thesis also prints patterns of routes, but
// not how many DLIDs they take and which SL a pair uses. spftr/routing.hpp takes the place of the
// patterns.
#include "plugin/engines/spftr/routing.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

/// In 3D, tori with more switches than this ask for 64 LIDs a host: 8×8×8 took up to 39 in trials.
constexpr std::uint32_t kMostAtLmc5 = 7 * 7 * 7;

Routing compute_spftr(const Fabric& fabric, const EngineRequest& request) {
  return route_by_patterns(fabric, request, {"spftr", 3, &spftr_rules, spftr::spftr_trees()});
}

/// The LMC at which every pair has all its disjoint paths. Each LID of a host needs a tree of its
/// own towards the host's switch. In 2D there are at most 15 precomputed trees and one of short
/// paths: LMC 4. In 3D, 6×6×6 takes 28 trees: LMC 5. Larger tori get LMC 6 if the subnet has enough
/// LIDs.
unsigned spftr_lmc(const Fabric& fabric) {
  if (recognise(fabric).sizes.size() == 2) return 4;
  const bool go_round = host_lids(fabric, 6).last <= kMaxUnicastLid;
  return fabric.num_switches() > kMostAtLmc5 && go_round ? 6 : 5;
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
                "pairs whose other paths work need no change; recomputed, any route and SL may "
                "change",
            .deadlock_free = true,
        },
    .compute = &compute_spftr,
    .lmc = &spftr_lmc,
};

}  // namespace selvedge
