// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The threads of a process and what they are doing, from /proc.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace selvedge::sim {

struct ThreadState {
  pid_t thread = 0;
  char state = 0;  // as in /proc/PID/stat: R, S, D, T, …; 0: it has ended

  /// On a processor, or about to be. D waits for a disk, and goes on by itself.
  bool runs() const { return state == 'R' || state == 'D'; }
};

/// Empty if the process has ended.
std::vector<ThreadState> threads_of(pid_t pid);
/// Its name, up to 15 characters (/proc/PID/comm); empty if it has ended.
std::string name_of(pid_t pid);

}  // namespace selvedge::sim
