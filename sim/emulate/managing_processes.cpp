// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/managing_processes.hpp"

#include <time.h>

#include <algorithm>

#include "sim/emulate/thread_states.hpp"

namespace selvedge::sim {
namespace {

constexpr std::size_t kLongestName = 15;  // the kernel truncates longer process names

}  // namespace

bool SystemProcesses::manages(pid_t pid) const {
  const std::string name = name_of(pid);
  return std::ranges::any_of(
      names_, [&](const std::string& known) { return known.substr(0, kLongestName) == name; });
}

std::optional<std::chrono::nanoseconds> SystemProcesses::cpu_time(pid_t pid) const {
  clockid_t clock{};
  timespec t{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &t) != 0)
    return std::nullopt;
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

bool SystemProcesses::waits(pid_t pid) const {
  return std::ranges::none_of(threads_of(pid), &ThreadState::runs);
}

std::vector<std::string> usual_managers() { return {"opensm", "selvedge-smp-agent"}; }

}  // namespace selvedge::sim
