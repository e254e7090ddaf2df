// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs for irregular fat trees: with uneven leaf switches, parallel and missing cables, and hosts
// on any switch. updn/up_down_phases.hpp says which arcs a switch may take. Of these arcs one is
// chosen for each LID:
//
//   chain    Each destination number (dmodk/destinations.hpp) has one way down to its leaf switch,
//            called the chain. It is found from the leaf up, by the number's digits. A digit gives
//            the label of the next smaller column (tree/columns.hpp) and one of the parallel cables
//            to that column. All sources use the chain, so they use one channel into the leaf
//            switch. Two numbers share this channel only if there are more hosts than cables; so in
//            a permutation of the hosts it carries one flow.
//   settled  A switch that is not on the chain takes its own cable for the digit, if that cable
//            exists and leads to the chain or to another settled switch.
//   open     All other switches are open: the cable is missing, here or further on; or the chain's
//            channel has its share of hosts already; or the host is on a switch above the leaves.
//            Open switches choose one after the other, by the loads at that moment. Each takes the
//            arc whose path to the destination has the least total load. So the load of a missing
//            cable spreads over all other cables.
//
// All base LIDs are routed first, then all second LIDs, and so on. So base LIDs are as balanced at
// any LMC as at LMC 0. For a further LID, an open switch takes the arc that the host's earlier LIDs
// use least; of equal arcs, that with the least load. Settled switches avoid, for a further LID,
// arcs that an open switch took for an earlier LID.
#pragma once

#include "plugin/engines/dmodk/destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// The LFTs of a fat tree, in which every switch reaches every LID of its component. The
/// orientation must be that of order_tree(), or another that admits all shortest paths that go up
/// by levels, then down.
Tables route_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                  const Orientation& orientation, const EngineProgress& progress,
                  const BalanceOptions& balance = {});

}  // namespace selvedge
