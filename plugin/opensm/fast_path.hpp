// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The two threads of the fast path, and when each does its work. The work itself is in
// plugin/control (repair_controller.hpp, orders.hpp).
//
// The writer thread repairs faults, routes over restored links and carries out prepared changes;
// each of these is short. The planner thread prepares operators' orders, and those paths over
// restored links for which that takes long. That may take seconds on a large fabric; meanwhile
// faults are repaired and sweeps run. The planner hands the prepared change
// to the writer, and prepares it again if the tables have changed since.
//
// If OpenSM writes no SL2VL rows, the writer thread examines those that the switches hold, some at
// a time, between other work (found_rows.hpp).
//
// Sweeps and the writer both write tables, so each waits until the other has finished
// (writer_lock.hpp).
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "plugin/control/command_queue.hpp"
#include "plugin/control/found_rows.hpp"
#include "plugin/control/hoq_keeper.hpp"
#include "plugin/control/repair_controller.hpp"
#include "plugin/control/writer_lock.hpp"
#include "plugin/opensm/smp_agent.hpp"
#include "plugin/opensm/steady_clock.hpp"

namespace selvedge {

class FastPath {
 public:
  /// `patience`: how long an order may wait until the planner begins it, and how long a prepared
  /// change may wait until the writer begins it.
  explicit FastPath(SubnetManagerInterface& environment,
                    std::chrono::milliseconds patience = std::chrono::seconds(20))
      : environment_(environment.with(clock_)), patience_(patience) {}
  FastPath(const FastPath&) = delete;
  FastPath& operator=(const FastPath&) = delete;
  ~FastPath() { stop(); }

  void start(std::string agent_program);
  void stop();

  /// Notes that a trap has reported a changed port of the switch with the LID `issuer`. May be
  /// called by any thread.
  void handle_trap(Lid issuer);

  /// Carries out an order, blocks until that is done, and returns a JSON document, {"error": {…}}
  /// if the order fails. An order that is not begun within `patience` is withdrawn.
  std::string carry_out(Order order);

  /// Queues an order that no client waits for. `reply` is called by the planner thread with what
  /// carry_out() would return, or at once if the fast path is off. Does not block.
  void carry_out_later(Order order, std::function<void(std::string)> reply);

  /// Notes that the tables are ready for which the present interim plan waits (Plan::awaited). The
  /// fast path installs them once this SM is the master. Returns false if the fast path has no
  /// threads. May be called by any thread.
  bool install_awaited();

  /// Takes the writer lock for a sweep, which calls this before it computes and writes tables.
  /// False if the fast path is writing: then the caller must release OpenSM's lock and call
  /// begin_sweep().
  bool try_begin_sweep();
  /// Waits until the fast path has finished, and takes the writer lock for the sweep. After
  /// kSweepPatience (fast_path.cpp) it makes the fast path abandon its outstanding SMPs.
  void begin_sweep();
  /// Lets the writer repair the lost links that the sweep has found, as after a trap. Returns when
  /// that is done or has failed. Called by a sweep that holds the writer lock, without OpenSM's
  /// lock.
  void repair_lost_for_sweep(LostLinks lost);
  /// Releases the writer lock, because the switches hold the sweep's tables or the sweep was
  /// abandoned.
  void end_sweep();
  /// Notes that the subnet manager has configured all ports, and writes to none until the next
  /// sweep. The writer then sets the head-of-queue lifetimes (hoq_keeper.hpp).
  void ports_configured();

  /// Whether the fast path has prepared a repair and a proof for this plan. May be called by any
  /// thread.
  bool ready_for(const Plan* plan) const { return plan != nullptr && prepared_ == plan; }
  /// Whether the SMP agent of the fast path is running. May be called by any thread.
  bool agent_running() const { return agent_running_; }

 private:
  /// A prepared change that the planner hands to the writer, and the outcome of carrying it out.
  struct Handover {
    PreparedChange change;
    std::optional<RepairController::Outcome> outcome;  // set when the writer has finished
    std::exception_ptr error;
  };
  /// The work that the writer does next.
  struct Work {
    std::vector<Lid> issuers;
    std::optional<LostLinks> lost;
    std::shared_ptr<const RestoredLinks> restored;
    Handover* handover = nullptr;
    RepairController::Outcome outcome = RepairController::Outcome::kRefused;  // of `handover`
    std::uint64_t hoq_round = 0;  // of HoqKeeper; 0: nothing is due
    bool fault() const { return lost || !issuers.empty(); }
    bool writes() const { return fault() || restored || handover != nullptr; }
  };

  void run_writer();
  Work take_work(bool is_master);
  void perform(Work& work);
  void perform_as_master(Work& work);
  void keep_agent_running();
  void check_rows();

  void run_planner();
  std::string reply_to(const Order& order);
  std::string execute(const Order& order);
  void leave_restored(const std::string& why);
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
  bool sweep_ended_ = false;  // whether there may be a new plan, for which to prepare a repair
  std::vector<Lid> issuers_;
  std::optional<LostLinks> lost_;  // lost links found by a sweep, which waits for their repair
  CommandQueue commands_;
  std::uint64_t hoq_round_ = 0;                           // counts the calls of ports_configured()
  bool hoq_due_ = false;                                  // whether ports are left in this round
  std::shared_ptr<const RestoredLinks> restore_ordered_;  // those of the last order kRestore
  Handover* handover_ = nullptr;  // a prepared change; the planner waits for its outcome

  // Used by the writer thread; other threads use only SmpAgent::set_abort() and the atomics.
  SmpAgent agent_;
  Instant next_start_{};  // when a failed agent may be started again
  RepairController controller_{environment_, agent_};
  RowChecker rows_{environment_, agent_};
  HoqKeeper hoq_{environment_, agent_};
  bool hoq_left_ = false;                        // whether hoq_ has more ports to set now
  bool rows_left_ = false;                       // whether rows_ has more rows to examine now
  std::atomic<const Plan*> prepared_ = nullptr;  // controller_.ready_for() after the last work
  std::atomic<bool> agent_running_ = false;      // whether the agent is running
  std::atomic<bool> started_ = false;            // the threads run
  Instant next_completion_{};                    // of the writer thread
  std::atomic<bool> completion_again_ = false;   // whether to retry an order kCompleteRepair, which
                                                 // was not carried out
  std::atomic<bool> install_due_ = false;        // awaited tables are ready
  std::atomic<bool> agent_missing_ = false;  // whether the agent is not running though it should
};

}  // namespace selvedge
