// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's two clocks, which give the emulated fabric's time.
//
// FreeRunningClock: the fabric's time is the machine's, and every SMP is answered at once. This
// clock is for trying out management, not for measuring what a change costs.
//
// ManagerClock: the fabric's time is the CPU time that the managing processes have used (opensm and
// selvedge-smp-agent; the CPU times of parallel threads are added), times a speed. A simulated
// fabric is thousands of times slower than a real one, so wall time cannot be its clock. The
// managers' CPU time can: it counts neither other processes nor the simulation. While all managers
// wait for MADs, the fabric's time advances as these MADs travel over the simulated links. While
// managers wait but no MAD is under way, they sleep until a time-out of their own or of the
// emulator's, as our plugin does between two steps of a drain. Then traffic goes on with the
// machine's time, as far as it can be simulated in that time. Without traffic the fabric's time
// jumps to its next event (a repeated request, a line of the script), or else stands still.
//
// A MAD enters the fabric when the fabric's time has reached the time at which the manager sent it.
//
// Inaccuracy. A manager computes on while the fabric is simulated, so a MAD enters the fabric later
// than it was sent: later by what its sender has computed since, until the sender waits. The
// manager then waits for an answer that could have come while it computed. So each wait is too long
// by at most the flight of its MAD, and all waits together by at most flight(). (Holding the
// managers while the fabric is simulated does not help:
// docs/decisions/0066-managers-compute-on.md.) OpenSM's own timers run by wall time:
// sweep_interval, the window in which it ignores repeated traps, and the polling of a standby
// manager. CPU time itself grows on a busy machine, where other processes use the caches. So runs
// are not reproducible bit by bit; report medians of several.
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
  /// Whether the simulated time of the fabric has reached the time that the clients' CPU time
  /// stands for. Only then do their MADs enter the fabric.
  virtual bool caught_up() { return true; }
  /// By how much the simulated time is behind the time that the clients' CPU time stands for.
  virtual Nanoseconds behind() const { return {}; }
  /// CPU time that the managers have used so far.
  virtual std::chrono::nanoseconds managers_used() const { return {}; }
  /// Whether the fabric's time depends on the CPU time of this client.
  virtual bool counts(pid_t) const { return false; }
  /// Called before each wait for the sockets: advances the fabric's time, and returns how long the
  /// caller may wait at most. `deadline`: the fabric's time at which something is due. `all_read`:
  /// whether the clients have read all datagrams sent to them.
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
  /// `machine_time`: gives the machine's time; tests replace it.
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
  /// The part of the fabric's time that passed while all managers waited and MADs were under way.
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
  Nanoseconds used_{};    // CPU time of managers, also of those that have left
  Nanoseconds target_{};  // the fabric time that the managers have reached
  Nanoseconds flight_{};
  const std::function<Nanoseconds()> machine_time_;
  /// While all managers sleep: the fabric's time minus the machine's at the begin of the sleep.
  std::optional<Nanoseconds> asleep_;
};

}  // namespace selvedge::sim
