// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A-SPFTR, asymmetric scalable pattern-based fault-tolerant routing (Montañana 2008 §4.3): SPFTR
// (spftr/spftr.cpp) for 2D tori with 3 SLs, by Table 4.3 (spftr/tables.hpp).
#include <algorithm>

#include "plugin/engines/spftr/routing.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

Routing compute_aspftr(const Fabric& fabric, const EngineRequest& request) {
  return route_by_patterns(
      fabric, request,
      {"aspftr", 2, [](unsigned) { return aspftr_rules(); }, spftr::aspftr_trees()});
}

/// The LMC at which every pair has all its disjoint paths. Each LID of a host needs a tree of its
/// own towards the host's switch. There are at most 15 precomputed trees and one of short paths:
/// LMC 4. On tori with a dimension below 5 paths are searched, which took up to 30 LIDs: LMC 5.
unsigned aspftr_lmc(const Fabric& fabric) {
  const std::vector<unsigned> sizes = recognise(fabric).sizes;
  return std::ranges::any_of(sizes, [](unsigned k) { return k < 5; }) && fabric.num_switches() > 49
             ? 5
             : 4;
}

}  // namespace

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
                "pairs whose other paths work need no change; recomputed, any route and SL may "
                "change",
            .deadlock_free = true,
        },
    .compute = &compute_aspftr,
    .lmc = &aspftr_lmc,
};

}  // namespace selvedge
