// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/program: what selvedge-route and selvedge-sim share. options.hpp holds what a user chose,
// subject.hpp turns that into a fabric and its tables, repaired.hpp into tables repaired after a
// fault, report.hpp prints. Reading order: as here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"

namespace selvedge {

struct FabricOptions {
  std::string spec;
  std::vector<std::string> fail;
};

/// Files of GUIDs that say what is known of a tree's levels (plugin/fabric/guid_file.hpp); "" =
/// none.
struct HintOptions {
  std::string roots, compute_nodes, io_nodes;
  bool given() const { return !roots.empty() || !compute_nodes.empty() || !io_nodes.empty(); }
};

struct EngineOptions {
  std::string engine;
  std::optional<unsigned> lmc;
  std::optional<unsigned> max_vls, max_sls;  // default: EngineRequest's
  std::string root;
  std::optional<EngineRequest::Tree> tree;
  HintOptions hints;
};

/// The content of the files, with the fabric's ids. Throws InputError if one cannot be read or has
/// GUIDs that the fabric does not have.
LevelHints read_hints(const Fabric& fabric, const HintOptions& options);

}  // namespace selvedge
