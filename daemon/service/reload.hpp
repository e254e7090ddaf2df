// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// reload() decides how a running daemon's settings change when its configuration file is read
// again. Every key is in one table (reload.cpp): it changes at once, for new connections, or only
// with a restart.
#pragma once

#include <string>
#include <vector>

#include "daemon/service/config.hpp"

namespace selvedge::service {

struct Reload {
  DaemonConfig config;               ///< to run with now; keys that need a restart are unchanged
  std::vector<std::string> changed;  ///< a sentence for each changed key
  std::vector<std::string> needs_restart;  ///< a sentence for each change without effect yet
};

/// running: the configuration in use; wanted: that of the file. The function has no side effect,
/// and reloading the same file again changes nothing.
Reload reload(const DaemonConfig& running, const DaemonConfig& wanted);

}  // namespace selvedge::service
