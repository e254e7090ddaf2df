// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From levels, columns and numbers to LFTs. Three layers, each over the one before:
//
//   rows    A switch that has the same number of cables, one or more, to every label of its column
//           sends number j up by label j / unit mod radix, whatever the destination is: a whole LFT
//           row is one table lookup for each LID.
//   down    A switch above a leaf goes down to the leaf's LIDs. There is one way in a tree, or one
//           for each of the parallel cables: number / unit, modulo their number, decides.
//   mended  A leaf is *whole* if every switch above it that a complete tree would have above it is,
//           and reaches it. To a whole leaf every way up is good and the row stands. Otherwise, and
//           at switches that lack cables, the ways up are looked at one by one: good is what leads
//           to the lowest switch from which the leaf can be reached going down. A LID whose label
//           has no good cable takes one of the others: of a host's several LIDs, those of labels
//           and cables that its other LIDs don't use; of those left, the next one by the digits of
//           the number that are not used yet and by which switch of the column this is, so that
//           the destinations of a lost cable spread over all that remain, and so do the paths to
//           each of them.
//
// LIDs of switches without hosts are few and get a search each, along the ways that lead there.
#pragma once

#include "plugin/engines/dmodk_destinations.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree_columns.hpp"

namespace selvedge {

struct DmodkRoutes {
  Tables tables;
  std::uint64_t leaf_pairs = 0;         // ordered pairs of switches with hosts, in one piece
  std::uint64_t pairs_apart = 0;        // of those, the ones without a path that goes up, then down
  std::uint64_t hosts_apart = 0;        // the same in ordered pairs of hosts
  std::uint64_t switch_lids_apart = 0;  // (switch with hosts, LID of one without, same piece)
};

DmodkRoutes route_dmodk(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                        const EngineProgress& progress);

}  // namespace selvedge
