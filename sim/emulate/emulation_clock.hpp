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
// flight of these over the simulated links. When they wait for nothing, the fabric runs to its next
// event (a repetition, a line of the script), and else stands still.
//
// A MAD enters the fabric when its time has come as far as the manager that sent it.
//
// What this distorts: OpenSM's own timers run by wall time. These are sweep_interval, the window in
// which it ignores repeated traps, and the polling of a standby manager. The emulator simulates
// while a manager computes, so an answer may reach the manager a little later in its CPU time than
// in the fabric's. So runs are not reproducible bit by bit; report medians of several.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "sim/emulate/core.hpp"
#include "sim/emulate/data_plane.hpp"

namespace selvedge::sim {

class EmulationClock {
 public:
  virtual ~EmulationClock() = default;
  virtual Milliseconds now() = 0;
  virtual void client_came(pid_t) {}
  virtual void client_left(pid_t) {}
  /// Whether the fabric's time has come as far as the clients: only then do their MADs enter it.
  virtual bool caught_up() { return true; }
  /// CPU time that the managers have used so far.
  virtual std::chrono::nanoseconds managers_used() const { return {}; }
  /// Whether the time depends on this client.
  virtual bool counts(pid_t) const { return false; }
  /// Called before each wait for the sockets: lets time pass, and returns how long may be waited at
  /// most. `deadline`: when something is due. `all_read`: the clients have read all that was sent.
  virtual std::chrono::microseconds step(Core& core, std::optional<Milliseconds> deadline,
                                         const std::function<bool()>& all_read) = 0;
};

class FreeRunningClock : public EmulationClock {
 public:
  Milliseconds now() override;
  std::chrono::microseconds step(Core&, std::optional<Milliseconds> deadline,
                                 const std::function<bool()>&) override;

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class ManagerClock : public EmulationClock {
 public:
  ManagerClock(DataPlane& plane, double speed) : plane_(plane), speed_(speed) {}
  Milliseconds now() override;
  void client_came(pid_t pid) override;
  void client_left(pid_t pid) override;
  bool caught_up() override;
  std::chrono::nanoseconds managers_used() const override { return used_; }
  bool counts(pid_t pid) const override;
  std::chrono::microseconds step(Core& core, std::optional<Milliseconds> deadline,
                                 const std::function<bool()>& all_read) override;

 private:
  struct Manager {
    pid_t pid;
    clockid_t clock;
    std::chrono::nanoseconds used;
  };
  std::chrono::nanoseconds used_since();
  /// Adds the CPU time used since the last call to target_, and returns it.
  std::chrono::nanoseconds advance_target();
  bool all_wait() const;

  DataPlane& plane_;
  const double speed_;
  std::vector<Manager> managers_;
  std::chrono::nanoseconds used_{};    // by managers, also by those that have left
  std::chrono::nanoseconds target_{};  // the fabric's time, as far as the managers have come
};

}  // namespace selvedge::sim
