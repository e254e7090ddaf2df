// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables whose answers on the SL of the question are safe. Engines with several SLs choose an SL
// for each path by itself, so the path back need not fit the SL of the question.
//
// `base`: the paths to base LIDs become up*/down* paths, all on one SL. So an answer from base LID
// to base LID is a path like all others. Engines whose own SL 0 takes such paths need no more VLs
// (Routing::base_paths); for others the paths get a VL and an SL of their own, and share no channel
// with other paths. The path that a base LID had moves to a LID of the host whose path is that of
// another LID, so that no disjoint path is lost.
//
// `same-sl`: the engine is asked for one SL. All its paths then are on it, in both directions.
#pragma once

#include "plugin/engines/engine.hpp"

namespace selvedge {

/// The engine's tables with `request.replies`. Throws InputError if the engine cannot make them, or
/// if LIDs, VLs or SLs do not suffice; the message says how many are needed.
Routing compute_with_replies(const Engine& engine, const Fabric& fabric,
                             const EngineRequest& request);

}  // namespace selvedge
