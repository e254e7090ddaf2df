// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What becomes of a running daemon's settings when its file is read again. Every key is in one
// table (reload.cpp): it changes at once, for new connections, or only with a restart.
#pragma once

#include <string>
#include <vector>

#include "daemon/service/config.hpp"

namespace selvedge::service {

struct Reload {
  DaemonConfig config;               ///< to run with from now on: what needs a restart is as it was
  std::vector<std::string> changed;  ///< a sentence each
  std::vector<std::string> needs_restart;  ///< likewise; had no effect
};

/// A pure function. Applied to its own result and the same file it changes nothing more.
Reload reload(const DaemonConfig& running, const DaemonConfig& wanted);

}  // namespace selvedge::service
