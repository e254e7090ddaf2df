// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a subcommand works on: the fabric that remains after the faults, and its tables, made by an
// engine or read from a file.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/program/options.hpp"
#include "plugin/tables/further_sls.hpp"
#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// The MLID of IPoIB's broadcast group, which contains all hosts. The engine's multicast tree is
/// entered in the tables as this group.
inline constexpr Lid kBroadcastMlid = kMinMulticastLid;

struct Subject {
  Fabric fabric;
  Tables tables;
  FurtherSls further;                     // of a file; an engine has none
  std::optional<SpanningTree> multicast;  // the engine's spanning tree
  std::vector<std::string> remarks;       // the engine's remarks
  std::string chosen, reason;             // see Routing
  double compute_ms = 0;                  // how long the engine took
};

/// The fabric of the options without what has failed. Its LIDs have the given LMC. If none is
/// given, they are those of the fabric's file or, if it has none, they have the LMC that the engine
/// wants on the undamaged fabric for tables of the grade that is asked for.
Fabric make_left(const FabricOptions& options, const EngineOptions& engine, Progress& progress);

/// For a random fabric: writes the seed that was used to standard error.
void tell_seed(const std::string& spec);

/// Computes the engine's tables for this fabric.
Subject compute_on(Fabric fabric, const EngineOptions& engine, Progress& progress);

/// Computes the engine's tables for the fabric without what has failed.
Subject compute(const FabricOptions& fabric, const EngineOptions& engine, Progress& progress);

/// The tables in a file, for the fabric of the options or, if these give none, for the fabric in
/// the file.
Subject read_subject(const FabricOptions& fabric, const std::string& path, Progress& progress);

/// Throws InputError if paths in this file have several SLs: `what` takes tables with one.
void require_one_sl(const FurtherSls& further, const std::string& path, const std::string& what);

/// What must be proved besides the fundamental properties: the grade of responses on the request's
/// SL, if one is given.
VerifyOptions asked_of(const EngineOptions& options);

/// Proves the tables, and shows the progress.
Verdict prove(const Subject& subject, VerifyOptions asked, Progress& progress);

/// Throws InputError if the tables use more VLs or SLs than the options allow. (An option that is
/// not given allows any number.)
void check_bounds(const EngineOptions& options, const Verdict& verdict);

}  // namespace selvedge
