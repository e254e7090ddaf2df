// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's threads. What they do is in plugin/control (repair_controller.hpp, orders.hpp);
// here is when.
//
// Two writers, a sweep and the fast path: each waits for the other (writer_lock.hpp).
//
// Two threads. The writer repairs, takes in what comes back and carries out what is prepared;
// nobody waits for it long. The planner prepares what the operator orders: that may take seconds on
// a large fabric, while faults are repaired and sweeps go on. It hands the prepared change to the
// writer, and prepares it again if the tables in force have changed meanwhile.
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
  /// `patience`: how long an order waits for its turn, and a prepared change for a sweep.
  explicit FastPath(Surrounding& around,
                    std::chrono::milliseconds patience = std::chrono::seconds(20))
      : around_(around.with(clock_)), patience_(patience) {}
  FastPath(const FastPath&) = delete;
  FastPath& operator=(const FastPath&) = delete;
  ~FastPath() { stop(); }

  void start(std::string agent_program);
  void stop();

  /// From any thread: the switch with this LID says that something about its ports has changed.
  void notice(Lid issuer);

  /// Carries out what the operator wants; returns a JSON document, {"error": {…}} if it can't be.
  /// Blocks until it is done. What has not been begun within the patience is not begun later.
  std::string carry_out(Order order);

  /// A sweep is about to plan and write. False: the fast path is writing; wait, without OpenSM's
  /// lock, by begin_sweep().
  bool try_begin_sweep();
  /// After kSweepPatience the fast path is told to leave what it has not sent: never two writers.
  void begin_sweep();
  /// From the sweep, which has begun: takes out what it found lost and no trap told of, as after a
  /// trap. Waits until that is done, or came to nothing; without OpenSM's lock.
  void take_out_for_sweep(LostLinks lost);
  /// Its tables are in the switches, or it came to nothing.
  void end_sweep();

  /// Is everything prepared for a fault of this plan's fabric? From any thread.
  bool ready_for(const Plan* plan) const { return plan != nullptr && prepared_ == plan; }
  /// Can it write at all, once it has prepared? From any thread.
  bool able() const { return able_; }

 private:
  /// A prepared change on its way from the planner to the writer.
  struct Handover {
    PreparedChange change;
    std::optional<RepairController::Outcome> outcome;  // once the writer has done with it
    std::exception_ptr error;
  };
  /// What the writer is to do next.
  struct Work {
    std::vector<Lid> issuers;
    std::optional<LostLinks> lost;
    std::shared_ptr<const RestoredLinks> restored;
    Handover* handover = nullptr;
    RepairController::Outcome outcome = RepairController::Outcome::kRefused;  // of it
    bool fault() const { return lost || !issuers.empty(); }
    bool writes() const { return fault() || restored || handover != nullptr; }
  };

  void run_writer();
  Work take_work();
  void do_safely(Work& work);
  void do_as_master(Work& work);
  void keep_agent_running();

  void run_planner();
  std::string answer_to(const Order& order);
  std::string obey(const Order& order);
  void hand_over(Handover& handover);

  SteadyClock clock_;
  const Surroundings around_;
  const std::chrono::milliseconds patience_;
  std::string agent_program_;
  std::thread writer_thread_, planner_thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  WriterLock writer_;
  bool sweep_ended_ = false;  // there may be a new plan to prepare for
  std::vector<Lid> issuers_;
  std::optional<LostLinks> lost_;  // found by the sweep that waits for it
  CommandQueue commands_;
  Handover* handover_ = nullptr;  // the planner's, which waits for its outcome

  // The writer's own.
  SmpAgent agent_;
  Instant next_start_{};  // of the agent, once it has failed
  RepairController controller_{around_, agent_};
  std::atomic<const Plan*> prepared_ = nullptr;  // the controller's
  std::atomic<bool> able_ = false;               // the agent is running
  std::atomic<bool> lacks_agent_ = false;        // it is not, though it has been started
};

}  // namespace selvedge
