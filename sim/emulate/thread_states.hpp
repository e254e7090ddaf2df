// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The threads of a process and their states, as /proc tells them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace selvedge::sim {

struct ThreadState {
  pid_t thread = 0;
  char state = 0;  // as in /proc/PID/stat: R, S, D, T, …; 0: it has ended

  /// Whether the thread runs or will run without an event from outside: R is on a processor or
  /// ready; D waits only for a disk.
  bool runs() const { return state == 'R' || state == 'D'; }
};

/// The threads of a process; empty if the process has ended.
std::vector<ThreadState> threads_of(pid_t pid);
/// The name of a process, up to 15 characters (/proc/PID/comm); empty if the process has ended.
std::string name_of(pid_t pid);

}  // namespace selvedge::sim
