// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/program/options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/fabric/guid_file.hpp"

namespace selvedge {

LevelHints read_hints(const Fabric& fabric, const HintOptions& options) {
  struct Asked {
    const std::string& path;
    const char* option;
    const char* remedy;
  };
  const Asked asked[kHintRoles] = {
      {options.roots, "--roots", "list node GUIDs of switches"},
      {options.compute_nodes, "--compute-nodes", "list node or port GUIDs of adapters"},
      {options.io_nodes, "--io-nodes", "list node or port GUIDs of adapters"}};
  HintFiles files;
  for (std::size_t i = 0; i < kHintRoles; ++i)
    if (!asked[i].path.empty()) files.of[i] = read_guid_file(asked[i].path);
  std::vector<UnknownGuids> unknown;
  LevelHints hints = files.find(fabric, unknown);
  if (unknown.empty()) return hints;
  const UnknownGuids& lacking = unknown.front();
  const auto role = static_cast<std::size_t>(lacking.role);
  throw InputError(
      describe(lacking, *files.of[role]),
      fmt::format("{} {}:{}", asked[role].option, asked[role].path, lacking.first.number),
      asked[role].remedy);
}

}  // namespace selvedge
