// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the manager's clock reads of the processes that manage the subnet. An interface, so that the
// clock's rules are tested without processes.
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
  /// CPU time that all its threads have used. Nothing: it has ended.
  virtual std::optional<std::chrono::nanoseconds> cpu_time(pid_t pid) const = 0;
  /// Whether all its threads wait. One that has ended waits.
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

/// The managers that are known without being named.
inline constexpr const char* kUsualManagers = "opensm,selvedge-smp-agent";

}  // namespace selvedge::sim
