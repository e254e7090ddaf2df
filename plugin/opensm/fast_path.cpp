// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The part of FastPath that starts the threads, and the writer thread: when it may write, and what
// it does next.
#include "plugin/opensm/fast_path.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <utility>

namespace selvedge {
namespace {

constexpr auto kReadyCheck = std::chrono::milliseconds(200);  // longest sleep of the writer thread
constexpr auto kSweepPatience = std::chrono::seconds(5);  // of a sweep that waits for the fast path
constexpr auto kCompletionAgain =
    std::chrono::seconds(1);                            // between two tries of routes for dark LIDs
constexpr auto kStartAgain = std::chrono::seconds(30);  // between two starts of a failing agent

}  // namespace

void FastPath::start(std::string agent_program) {
  agent_program_ = std::move(agent_program);
  sigset_t all, before;  // blocked in the new threads: OpenSM's own threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    writer_thread_ = std::thread([this] { run_writer(); });
    planner_thread_ = std::thread([this] { run_planner(); });
    started_ = true;
  } catch (const std::system_error& e) {
    environment_.journal.log(true,
                             fmt::format("no fast path: cannot start a thread: {}", e.what()));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FastPath::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread* thread : {&planner_thread_, &writer_thread_})
    if (thread->joinable()) thread->join();
  agent_.stop();
}

void FastPath::handle_trap(Lid issuer) {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(issuers_, issuer) != issuers_.end()) return;
    issuers_.push_back(issuer);
  }
  changed_.notify_all();
}

bool FastPath::install_awaited() {
  install_due_ = true;
  return started_;
}

// --- Called by sweeps

bool FastPath::try_begin_sweep() {
  const std::lock_guard lock(mutex_);
  hoq_due_ = false;  // the sweep configures ports, and reports that
  return writer_.try_sweep();
}

void FastPath::ports_configured() {
  {
    const std::lock_guard lock(mutex_);
    ++hoq_round_;
    hoq_due_ = true;
  }
  changed_.notify_all();
}

void FastPath::begin_sweep() {
  std::unique_lock lock(mutex_);
  const auto free = [this] { return !writer_.held_by_fast_path() && (!lost_ || stopping_); };
  if (!changed_.wait_for(lock, kSweepPatience, free)) {
    lost_.reset();
    agent_.set_abort(true);
    changed_.wait(lock, free);
    agent_.set_abort(false);
    environment_.journal.log(
        true, "the fast path delayed a sweep for too long: the sweep writes the rest");
  }
  writer_.try_sweep();
}

void FastPath::repair_lost_for_sweep(LostLinks lost) {
  {
    const std::lock_guard lock(mutex_);
    lost_ = std::move(lost);
    writer_.end_sweep();
  }
  changed_.notify_all();
  begin_sweep();
}

void FastPath::end_sweep() {
  {
    const std::lock_guard lock(mutex_);
    writer_.end_sweep();
    sweep_ended_ = true;
  }
  changed_.notify_all();
}

// --- The writer thread

/// Takes the next work: faults first, then restored links that a sweep has deferred, then a
/// prepared change. Restored links for which the order of writes is searched long go to the planner
/// thread.
FastPath::Work FastPath::take_work(bool is_master) {
  Work work;
  work.issuers = std::exchange(issuers_, {});
  work.lost = std::exchange(lost_, {});
  if (work.fault()) return work;
  if (is_master) work.restored = environment_.sweeps.restored();
  if (work.restored && restore_takes_long(*work.restored)) {
    if (restore_ordered_ != work.restored) {
      restore_ordered_ = work.restored;
      commands_.add({Order::Kind::kRestore, {}}, {});
      changed_.notify_all();
    }
    work.restored.reset();
  }
  if (!work.restored) work.handover = std::exchange(handover_, nullptr);
  if (!is_master) hoq_due_ = false;  // a new master sweeps, and then it is due again
  if (hoq_due_ && !work.writes()) work.hoq_round = hoq_round_;
  return work;
}

void FastPath::run_writer() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kReadyCheck, [this] {
      return stopping_ || (writer_.free() &&
                           (sweep_ended_ || hoq_due_ || lost_ || !issuers_.empty() || handover_));
    });
    if (stopping_ || !writer_.free()) continue;
    bool is_master = false;
    if (issuers_.empty() && !lost_) {
      // is_master() takes OpenSM's lock. It must be called without mutex_, because a sweep calls
      // try_begin_sweep(), which takes mutex_, while it holds OpenSM's lock.
      lock.unlock();
      is_master = environment_.settings.is_master();
      lock.lock();
      if (stopping_ || !writer_.free()) continue;
    }
    sweep_ended_ = false;
    Work work = take_work(is_master);
    if (work.writes() || work.hoq_round > 0) writer_.try_fast_path();
    lock.unlock();
    perform(work);
    prepared_ = controller_.ready_for();
    agent_running_ = agent_.running();
    lock.lock();
    if (work.hoq_round == hoq_round_ && !hoq_left_) hoq_due_ = false;
    // If there are new tables now, the next round prepares for a fault at once.
    if ((work.writes() && prepared_ == nullptr) || rows_left_) sweep_ended_ = true;
    if (writer_.held_by_fast_path()) {
      writer_.end_fast_path();
      changed_.notify_all();
    }
  }
}

/// Does the work. After an error, the faults or restored links are left to the sweep; the error of
/// an order is passed to the planner.
void FastPath::perform(Work& work) {
  bool failed = true;
  try {
    perform_as_master(work);
    failed = false;
  } catch (const std::exception& e) {
    controller_.forget();
    if (work.handover != nullptr)
      work.handover->error = std::current_exception();
    else
      environment_.journal.log(true, fmt::format("fast path: {}; the sweep continues", e.what()));
  }
  if (work.restored && failed) environment_.sweeps.leave_to_sweep();  // a new try would fail too
  if (work.handover == nullptr) return;
  const std::lock_guard lock(mutex_);
  work.handover->outcome = work.outcome;  // from here on only the planner may use the handover
  changed_.notify_all();
}

void FastPath::perform_as_master(Work& work) {
  rows_left_ = hoq_left_ = false;
  if (!environment_.settings.is_master()) return rows_.forget();
  keep_agent_running();
  controller_.prepare();
  if (!work.issuers.empty() && controller_.ready_for() != nullptr)
    controller_.handle_traps(work.issuers);
  if (work.lost) controller_.repair_lost(*work.lost);
  if (work.restored) controller_.route_restored(*work.restored);
  if (work.handover != nullptr) work.outcome = controller_.carry_out(work.handover->change);
  if (!work.writes()) check_rows();
  if (work.hoq_round > 0) hoq_left_ = hoq_.step(work.hoq_round);
  if (environment_.links.release_held()) {
    environment_.sweeps.request_sweep();
    environment_.journal.record(
        event_of(RoutingEvent::Kind::kReleased, "held cables are used again"));
  }
  if (!work.writes() && install_due_.exchange(false)) {
    const std::lock_guard lock(mutex_);
    commands_.add({Order::Kind::kInstall, {}}, {});
    changed_.notify_all();
  }
  if (completion_again_ && clock_.now() >= next_completion_) {
    completion_again_ = false;
    next_completion_ = clock_.now() + kCompletionAgain;
    controller_.completion_again();
  }
  if (!work.writes() && controller_.completion_due()) {
    const std::lock_guard lock(mutex_);
    commands_.add({Order::Kind::kCompleteRepair, {}}, {});
    changed_.notify_all();
  }
  if (controller_.readdress_due()) {
    const std::lock_guard lock(mutex_);
    commands_.add({Order::Kind::kReaddress, {}}, {});
    changed_.notify_all();
  }
  if (!work.writes() && controller_.return_due()) {
    const std::lock_guard lock(mutex_);
    commands_.add({Order::Kind::kReturnLids, {}}, {});
    changed_.notify_all();
  }
  if (!work.writes() && controller_.length_check_due()) {
    const std::lock_guard lock(mutex_);
    commands_.add({Order::Kind::kShorten, {}}, {});
    changed_.notify_all();
  }
}

void FastPath::check_rows() {
  if (environment_.tables.manager_writes_rows()) return rows_.forget();
  if (agent_.running())
    rows_left_ = rows_.step();
  else if (environment_.tables.plan_in_force())
    rows_.fail("no SMP agent runs that could read them");
}

/// Starts the SMP agent if it is not running. Does nothing while no plan is in force, because there
/// is nothing to repair.
void FastPath::keep_agent_running() {
  if (!environment_.tables.plan_in_force()) return;
  agent_.look();
  const Instant now = clock_.now();
  if (!agent_.running() && now >= next_start_) {
    next_start_ = now + kStartAgain;
    if (const auto why = agent_.start(agent_program_, environment_.settings.smp().port))
      environment_.journal.log(
          true, fmt::format("no fast path: {}; faults wait for OpenSM's sweep", *why));
  }
  agent_missing_ = !agent_.running();
}

}  // namespace selvedge
