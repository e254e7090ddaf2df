// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's two clocks.
//
// Free running: the emulator's time is the machine's. Every SMP is answered at once. This is for
// managing, not for measuring what a change costs.
//
// By the manager: the fabric's time is the CPU time that the managing processes have used (opensm
// and selvedge-smp-agent; threads that run at once count each), times a speed. A simulated fabric
// is thousands of times slower than a real one, so wall time cannot be its clock. CPU time can: it
// counts neither neighbours nor the simulation. When all managers wait for MADs, time passes by the
// flight of these over the simulated links. When they wait for nothing that flies, they sleep until
// a time-out of theirs or of the emulator's, as our plugin does between two steps of a drain. Then
// traffic goes on with the machine's time, as far as it can be simulated in it; without traffic the
// fabric runs to its next event (a repetition, a line of the script), and else stands still.
//
// A MAD enters the fabric when its time has come as far as the manager that sent it.
//
// What this distorts. A manager computes on while the fabric is simulated, so a MAD enters the
// fabric later than it was sent: by what its sender has computed since, until it waits. The answer
// is then waited for, while it could have come during that computing. So each wait is too long by
// at most the flight of its MAD, and all of them by at most flight(). (Holding the managers while
// the fabric is simulated does not help: docs/decisions/0066-managers-compute-on.md.) OpenSM's own
// timers run by wall time: sweep_interval, the window in which it ignores repeated traps, and the
// polling of a standby manager. CPU time itself grows on a busy machine, whose caches others use.
// So runs are not reproducible bit by bit; report medians of several.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "sim/emulate/core.hpp"
#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/managing_processes.hpp"

namespace selvedge::sim {

class EmulationClock {
 public:
  virtual ~EmulationClock() = default;
  virtual Nanoseconds now() = 0;
  virtual void client_came(pid_t) {}
  virtual void client_left(pid_t) {}
  /// Whether the fabric's time has come as far as the clients: only then do their MADs enter it.
  virtual bool caught_up() { return true; }
  /// How far the fabric's time has yet to go until it has come as far as the clients.
  virtual Nanoseconds behind() const { return {}; }
  /// CPU time that the managers have used so far.
  virtual std::chrono::nanoseconds managers_used() const { return {}; }
  /// Whether the time depends on this client.
  virtual bool counts(pid_t) const { return false; }
  /// Called before each wait for the sockets: lets time pass, and returns how long may be waited at
  /// most. `deadline`: when something is due. `all_read`: the clients have read all that was sent.
  virtual std::chrono::microseconds step(Core& core, std::optional<Nanoseconds> deadline,
                                         const std::function<bool()>& all_read) = 0;
};

class FreeRunningClock : public EmulationClock {
 public:
  Nanoseconds now() override;
  std::chrono::microseconds step(Core&, std::optional<Nanoseconds> deadline,
                                 const std::function<bool()>&) override;

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class ManagerClock : public EmulationClock {
 public:
  /// `machine_time`: a clock of the machine.
  ManagerClock(DataPlane& plane, const ManagingProcesses& processes, double speed,
               std::function<Nanoseconds()> machine_time = steady_time)
      : plane_(plane),
        processes_(processes),
        speed_(speed),
        machine_time_(std::move(machine_time)) {}
  Nanoseconds now() override { return plane_.now(); }
  void client_came(pid_t pid) override;
  void client_left(pid_t pid) override;
  bool caught_up() override;
  Nanoseconds behind() const override { return target_ - std::min(target_, plane_.now()); }
  std::chrono::nanoseconds managers_used() const override { return used_; }
  bool counts(pid_t pid) const override;
  std::chrono::microseconds step(Core& core, std::optional<Nanoseconds> deadline,
                                 const std::function<bool()>& all_read) override;
  /// The part of the time that passed while all managers waited and MADs flew.
  Nanoseconds flight() const { return flight_; }

 private:
  struct Manager {
    pid_t pid;
    Nanoseconds used;
  };
  Nanoseconds used_since();
  /// Adds the CPU time used since the last call to target_, and returns it.
  Nanoseconds advance_target();
  bool all_wait() const;
  static Nanoseconds steady_time() { return std::chrono::steady_clock::now().time_since_epoch(); }
  void simulate(Nanoseconds until, std::optional<Nanoseconds> due, Core& core);

  DataPlane& plane_;
  const ManagingProcesses& processes_;
  const double speed_;
  std::vector<Manager> managers_;
  Nanoseconds used_{};    // by managers, also by those that have left
  Nanoseconds target_{};  // the fabric's time, as far as the managers have come
  Nanoseconds flight_{};
  const std::function<Nanoseconds()> machine_time_;
  /// While all managers sleep: the fabric's time less the machine's, when they began.
  std::optional<Nanoseconds> asleep_;
};

}  // namespace selvedge::sim
