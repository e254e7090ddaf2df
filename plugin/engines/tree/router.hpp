// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs for fat trees as they are: uneven leaf switches, parallel and missing cables, hosts on any
// switch. up_down_phases.hpp says by which arcs a switch may send; of these
//
//   chain    Each number (dmodk/destinations.hpp) has one way down to its leaf switch, the chain:
//            from the leaf up by the number's digits. A digit says the label of the next smaller
//            column (tree/columns.hpp) and which of the parallel cables there. So all sources meet
//            on one channel into the leaf switch, and two numbers share it only if there are more
//            hosts than cables: in a permutation of the hosts nobody else is on it.
//   settled  A switch whose own cable for the digit is there, and leads to the chain or to another
//            settled switch, takes it.
//   open     All the rest: the cable is missing, here or further on; the chain's channel has its
//            fair number of hosts already; the host is on an upper switch. An open switch takes,
//            one after the other and with the loads as they are then, the arc whose path to the
//            destination carries least. So what a missing cable carried spreads over all others.
//
// All base LIDs come first, then all second LIDs, and so on: base LIDs are as balanced at any LMC
// as at LMC 0. For a further LID an open switch takes what the host's earlier ones use least, and
// the load decides between equals; what an open one has taken is left by the host's later ones.
#pragma once

#include "plugin/engines/dmodk/destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// Every switch reaches every LID of its piece. The orientation is order_tree()'s, or another that
/// admits all shortest paths that go up by levels, then down.
Tables route_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                  const Orientation& orientation, const EngineProgress& progress);

}  // namespace selvedge
