// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What ManagerClock (emulation_clock.hpp) reads of the processes that manage the subnet. It is an
// interface, so that the clock's rules can be tested without processes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace selvedge::sim {

class ManagingProcesses {
 public:
  virtual ~ManagingProcesses() = default;
  /// Whether the fabric's time depends on this process.
  virtual bool manages(pid_t pid) const = 0;
  /// CPU time that all threads of the process have used; nothing if the process has ended.
  virtual std::optional<std::chrono::nanoseconds> cpu_time(pid_t pid) const = 0;
  /// Whether all threads of the process wait; true if the process has ended.
  virtual bool waits(pid_t pid) const = 0;
};

/// Processes of this machine; managers are known by their names (/proc/PID/comm).
class SystemProcesses : public ManagingProcesses {
 public:
  explicit SystemProcesses(std::vector<std::string> names) : names_(std::move(names)) {}

  bool manages(pid_t pid) const override;
  std::optional<std::chrono::nanoseconds> cpu_time(pid_t pid) const override;
  bool waits(pid_t pid) const override;

 private:
  const std::vector<std::string> names_;
};

/// Whether this process (our SMP agent) repeats its SMPs itself and has the kernel repeat none. A
/// repeat by the kernel could execute an old request after newer ones.
bool repeats_its_own_smps(pid_t pid);

/// The names of managing processes that are used by default: opensm and our SMP agent.
std::vector<std::string> usual_managers();

}  // namespace selvedge::sim
