// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// LFTs for irregular fat trees: uneven leaf switches, parallel and missing cables, hosts on any
// switch. up_down_phases.hpp gives the arcs by which a switch may send. Of these:
//
//   chain    Each number (dmodk/destinations.hpp) has one way down to its leaf switch, the chain:
//            from the leaf up by the number's digits. A digit gives the label of the next smaller
//            column (tree/columns.hpp) and one of the parallel cables to it. So all sources meet on
//            one channel into the leaf switch. Two numbers share it only if there are more hosts
//            than cables: in a permutation of the hosts it carries one flow.
//   settled  A switch takes its own cable for the digit if that cable exists and leads to the chain
//            or to another settled switch.
//   open     All other switches: the cable is missing, here or further on; the chain's channel has
//            its share of hosts already; or the host is on an upper switch. Open switches choose
//            one after the other, with the loads at that moment. Each takes the arc whose path to
//            the destination has the least total load. So the load of a missing cable spreads over
//            all other cables.
//
// All base LIDs come first, then all second LIDs, and so on: base LIDs are as balanced at any LMC
// as at LMC 0. For a further LID, an open switch takes the arc that the host's earlier LIDs use
// least, and load decides between equals. The host's later LIDs avoid the arcs that open switches
// took.
#pragma once

#include "plugin/engines/dmodk/destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/updn/orientation.hpp"

namespace selvedge {

/// Every switch reaches every LID of its component. The orientation is that of order_tree(), or
/// another that admits all shortest paths that go up by levels, then down.
Tables route_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                  const Orientation& orientation, const EngineProgress& progress);

}  // namespace selvedge
