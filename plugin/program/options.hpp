// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/program: what the programs selvedge-route and selvedge-sim have in common. options.hpp
// holds what a user chose, subject.hpp makes a fabric and its tables of that, repaired.hpp repairs
// the tables after a fault, and report.hpp prints. That is also the order in which to read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/tables/reply_grade.hpp"

namespace selvedge {

struct FabricOptions {
  std::string spec;
  std::vector<std::string> fail;
};

/// Paths of GUID files that say what is known of a tree's levels (plugin/fabric/guid_file.hpp); "":
/// none.
struct HintOptions {
  std::string roots, compute_nodes, io_nodes;
  bool given() const { return !roots.empty() || !compute_nodes.empty() || !io_nodes.empty(); }
};

struct EngineOptions {
  std::string engine;
  std::optional<unsigned> lmc;
  std::optional<unsigned> max_vls, max_sls;  // default: that of EngineRequest
  bool fill_vls = false;                     // EngineRequest::fill_vls
  std::string root;
  std::optional<EngineRequest::Tree> tree;
  bool paper = false;  // EngineRequest::paper
  HintOptions hints;
  /// How long the engine may compute, in milliseconds, before updn's tables are taken instead. Not
  /// set: without a limit.
  std::optional<unsigned> deadline_ms;
  /// The grade of responses on the request's SL that must hold. Not set: none is demanded.
  std::optional<ReplyGrade> replies;
};

/// The content of these files, as ids of the fabric. Throws InputError if a file cannot be read or
/// has GUIDs that the fabric does not have.
LevelHints read_hints(const Fabric& fabric, const HintOptions& options);

}  // namespace selvedge
