// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Programs that the plugin starts out of OpenSM's process.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace selvedge {

struct SpawnRequest {
  std::string program;
  std::vector<std::string> arguments = {};
  /// Our descriptors, and their numbers in the program. All others above `last` are closed.
  std::vector<std::pair<int, int>> descriptors = {};
  int last = 2;
  bool quiet = false;      // whether output and errors go to /dev/null
  bool own_group = false;  // whether the program gets a process group of its own
};

/// Starts the program with default actions for all signals and none blocked, because OpenSM handles
/// and blocks some. Returns 0, and the program's process id in `pid`; or an errno value.
int spawn(const SpawnRequest& request, pid_t& pid);

}  // namespace selvedge
