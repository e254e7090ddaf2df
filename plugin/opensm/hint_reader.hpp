// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the files that opensm.conf names in root_guid_file, cn_guid_file and io_guid_file. OpenSM
// reads these names only at its start. The files are read again in each sweep if they have changed,
// as OpenSM's own engines read them in each sweep. Without a valid file the levels of the fat tree
// are determined without it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/control/hint_state.hpp"
#include "plugin/opensm/watched_file.hpp"

namespace selvedge {

class HintReader {
 public:
  using Line = FileMessage;
  using Paths = std::array<std::string, kHintRoles>;  // "" = not set

  /// Re-reads files that have changed. Returns true if the last valid content of a file differs
  /// from before; in_force() changes only in match(). Appends messages to `log`.
  bool refresh(const Paths& paths, std::vector<Line>& log);
  /// Matches the files' GUIDs against a fabric. Appends to `log` a line about GUIDs that the fabric
  /// does not have, unless the file's last such line was the same. `overruled`: plugin.toml sets
  /// another root, which is in this fabric.
  void match(const Fabric& fabric, bool overruled, std::vector<Line>& log);

  /// The valid contents at the last match(). The root file is left out if plugin.toml overruled it.
  /// Never null.
  const std::shared_ptr<const HintFiles>& in_force() const { return in_force_; }
  /// The state of each file that opensm.conf names.
  const std::vector<HintState>& states() const { return states_; }

 private:
  std::array<WatchedFile, kHintRoles> watched_;
  HintFiles read_;
  std::string last_override_notice_;
  std::shared_ptr<const HintFiles> in_force_ = std::make_shared<const HintFiles>();
  std::vector<HintState> states_;
};

}  // namespace selvedge
