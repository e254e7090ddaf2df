// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A multicast tree of one fabric on another one.
#pragma once

#include "plugin/engines/engine.hpp"

namespace selvedge {

/// Translates a spanning tree made for `from` to the ids of `to`. A switch whose cable to its
/// parent is not in `to` becomes a root.
SpanningTree with_ids_of(const Fabric& from, const SpanningTree& tree, const Fabric& to);

/// Whether the tree spans every connected component of the fabric, with one root in each.
bool spans_all_components(const Fabric& fabric, const SpanningTree& tree);

}  // namespace selvedge
