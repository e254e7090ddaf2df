// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `selvedge-route status` shows about the files that opensm.conf names in root_guid_file,
// cn_guid_file and io_guid_file.
#pragma once

#include <string>
#include <string_view>

#include "plugin/fabric/guid_file.hpp"

namespace selvedge {

/// The key in opensm.conf that names the file: "root_guid_file" and so on.
std::string_view setting_name(HintRole role);

struct HintState {
  HintRole role = HintRole::kRoots;
  std::string path;
  std::size_t guids = 0;    // how many GUIDs of the file are in use
  std::size_t unknown = 0;  // how many of these the last sweep did not find in the fabric
  bool overruled = false;   // whether `root` in section [engine] of plugin.toml takes precedence
  std::string fault;        // why the file could not be read; "" if it was read

  friend bool operator==(const HintState&, const HintState&) = default;
};

}  // namespace selvedge
