// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/managing_processes.hpp"

#include <time.h>

#include <algorithm>
#include <string_view>

#include "sim/emulate/thread_states.hpp"

namespace selvedge::sim {
namespace {

constexpr std::size_t kLongestName = 15;  // the kernel truncates longer process names
constexpr std::string_view kAgentName = "selvedge-smp-agent";

bool has_name(pid_t pid, std::string_view name) {
  return name_of(pid) == name.substr(0, kLongestName);
}

}  // namespace

bool SystemProcesses::manages(pid_t pid) const {
  return std::ranges::any_of(names_, [&](const std::string& name) { return has_name(pid, name); });
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

bool repeats_its_own_smps(pid_t pid) { return has_name(pid, kAgentName); }

std::vector<std::string> usual_managers() { return {"opensm", std::string(kAgentName)}; }

}  // namespace selvedge::sim
