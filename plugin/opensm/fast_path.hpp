// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The threads of the fast path: when each does its work. The work itself is in plugin/control
// (repair_controller.hpp, orders.hpp).
//
// A sweep and the fast path both write tables: each waits for the other (writer_lock.hpp).
//
// Two threads. The writer repairs faults, takes restored links into use and carries out prepared
// changes; each of these is short. The planner prepares orders: that may take seconds on a large
// fabric; meanwhile faults are repaired and sweeps go on. It hands the prepared change to the
// writer, and prepares it again if the tables in force have changed since.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "plugin/control/command_queue.hpp"
#include "plugin/control/repair_controller.hpp"
#include "plugin/control/writer_lock.hpp"
#include "plugin/opensm/smp_agent.hpp"
#include "plugin/opensm/steady_clock.hpp"

namespace selvedge {

class FastPath {
 public:
  /// `patience`: how long an order waits to be begun, and a prepared change for a sweep to end.
  explicit FastPath(SubnetManagerInterface& environment,
                    std::chrono::milliseconds patience = std::chrono::seconds(20))
      : environment_(environment.with(clock_)), patience_(patience) {}
  FastPath(const FastPath&) = delete;
  FastPath& operator=(const FastPath&) = delete;
  ~FastPath() { stop(); }

  void start(std::string agent_program);
  void stop();

  /// From any thread: a trap reports that a port of the switch with this LID has changed.
  void handle_trap(Lid issuer);

  /// Carries out an order and returns a JSON document, {"error": {…}} if it fails. Blocks until
  /// that is done. An order that is not begun within the patience is withdrawn.
  std::string carry_out(Order order);

  /// From any thread: the plan that the interim plan in force awaits is ready.
  void install_awaited();

  /// A sweep is about to plan and write. False: the fast path is writing; release OpenSM's lock and
  /// call begin_sweep().
  bool try_begin_sweep();
  /// Waits until the fast path has finished. After kSweepPatience it makes the fast path abandon
  /// what is not sent yet; there are never two writers.
  void begin_sweep();
  /// Called by a sweep that has begun: what it found lost without a trap is repaired as after a
  /// trap. Returns when that is done or has failed. Call it without OpenSM's lock.
  void repair_lost_for_sweep(LostLinks lost);
  /// The sweep's tables are in the switches, or the sweep was abandoned.
  void end_sweep();

  /// Is everything prepared for a fault of this plan's fabric? From any thread.
  bool ready_for(const Plan* plan) const { return plan != nullptr && prepared_ == plan; }
  /// Is its SMP agent running? From any thread.
  bool agent_running() const { return agent_running_; }

 private:
  /// A prepared change on its way from the planner to the writer.
  struct Handover {
    PreparedChange change;
    std::optional<RepairController::Outcome> outcome;  // once the writer has finished
    std::exception_ptr error;
  };
  /// What the writer is to do next.
  struct Work {
    std::vector<Lid> issuers;
    std::optional<LostLinks> lost;
    std::shared_ptr<const RestoredLinks> restored;
    Handover* handover = nullptr;
    RepairController::Outcome outcome = RepairController::Outcome::kRefused;  // of handover
    bool fault() const { return lost || !issuers.empty(); }
    bool writes() const { return fault() || restored || handover != nullptr; }
  };

  void run_writer();
  Work take_work(bool is_master);
  void perform(Work& work);
  void perform_as_master(Work& work);
  void keep_agent_running();

  void run_planner();
  std::string reply_to(const Order& order);
  std::string execute(const Order& order);
  void hand_over(Handover& handover);

  SteadyClock clock_;
  const ControlEnvironment environment_;
  const std::chrono::milliseconds patience_;
  std::string agent_program_;
  std::thread writer_thread_, planner_thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  WriterLock writer_;
  bool sweep_ended_ = false;  // there may be a new plan to prepare for
  std::vector<Lid> issuers_;
  std::optional<LostLinks> lost_;  // found by the sweep, which waits for the repair
  CommandQueue commands_;
  Handover* handover_ = nullptr;  // the planner's, which waits for the outcome

  // Of the writer thread.
  SmpAgent agent_;
  Instant next_start_{};  // when to start a failed agent again
  RepairController controller_{environment_, agent_};
  std::atomic<const Plan*> prepared_ = nullptr;  // controller_.ready_for()
  std::atomic<bool> agent_running_ = false;      // the agent is running
  std::atomic<bool> agent_missing_ = false;      // it is not, though its start was tried
};

}  // namespace selvedge
