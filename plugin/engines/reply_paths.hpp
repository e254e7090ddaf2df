// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in which responses on the request's SL cannot deadlock. A response takes the path back, on
// the SL that the request had. Engines with several SLs choose an SL for each path by itself, so
// the path back need not be safe on that SL.
//
// `base`: the paths to base LIDs become up*/down* paths, all on one SL. So a response from base LID
// to base LID is a path like all others. Engines whose own SL 0 takes such paths need no more VLs
// (Routing::base_paths). For others these paths get a VL and an SL of their own, and share no
// channel and VL with other paths. The path that a base LID had moves to another LID of the host,
// one whose own path is not unique. So no disjoint path is lost.
//
// `same-sl`: the engine is asked for one SL. Then all its paths are on it, in both directions.
#pragma once

#include "plugin/engines/engine.hpp"

namespace selvedge {

/// Computes tables in which responses on the request's SL cannot deadlock, for the LIDs that
/// `request.replies` selects. Throws InputError if the engine cannot do that, or if LIDs, VLs or
/// SLs do not suffice. Leaves out the cables that `request.balance.avoided` names, and fills the
/// VLs (filled_vls.hpp) if the request says so. With `replies_if_possible`, kBase falls back to
/// kOwnSl instead and adds a remark.
Routing compute_with_replies(const Engine& engine, const Fabric& fabric,
                             const EngineRequest& request);

}  // namespace selvedge
