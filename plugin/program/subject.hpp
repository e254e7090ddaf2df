// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a verb works on: the fabric that is left after the faults, and the tables for it, made by an
// engine or read from a file.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/program/options.hpp"
#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// The MLID of IPoIB's broadcast group, which spans the fabric: the engine's tree is entered as
/// this group.
inline constexpr Lid kBroadcastMlid = kMinMulticastLid;

struct Subject {
  Fabric fabric;
  Tables tables;
  std::optional<SpanningTree> multicast;  // the engine's
  std::vector<std::string> remarks;       // the engine's
  std::string chosen, reason;             // Routing's
  double compute_ms = 0;                  // the engine's time
};

/// The fabric of the options without what has failed. LIDs: with the LMC given; else a file's own,
/// or with the LMC that the engine wants on the whole fabric.
Fabric make_left(const FabricOptions& options, std::optional<unsigned> lmc, const Engine& engine,
                 Progress& progress);

/// For a random fabric: reports on standard error which seed was used.
void tell_seed(const std::string& spec);

/// The engine's tables for this fabric.
Subject compute_on(Fabric fabric, const EngineOptions& engine, Progress& progress);

/// The engine's tables for what is left.
Subject compute(const FabricOptions& fabric, const EngineOptions& engine, Progress& progress);

/// The tables of a file, for the fabric of the options or, without one, for the file's own.
Subject read_subject(const FabricOptions& fabric, const std::string& path, Progress& progress);

/// The proof, with its progress.
Verdict prove(const Subject& subject, VerifyOptions asked, Progress& progress);

/// Throws InputError if the tables use more VLs or SLs than the options allow, where given.
void check_bounds(const EngineOptions& options, const Verdict& verdict);

}  // namespace selvedge
