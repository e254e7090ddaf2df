// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `selvedge-route status` shows of root_guid_file, cn_guid_file and io_guid_file.
#pragma once

#include <string>
#include <string_view>

#include "plugin/fabric/guid_file.hpp"

namespace selvedge {

/// The file's key in opensm.conf.
std::string_view setting_name(HintRole role);

struct HintState {
  HintRole role = HintRole::kRoots;
  std::string path;
  std::size_t guids = 0;    // in force; 0: none of this file
  std::size_t unknown = 0;  // of these, not in the fabric of the last sweep
  bool overruled = false;   // by [engine] root of plugin.toml
  std::string fault;        // "" = it was read; else why not

  friend bool operator==(const HintState&, const HintState&) = default;
};

}  // namespace selvedge
