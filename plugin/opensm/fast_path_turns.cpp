// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's thread that writes: whose turn it is, the sweep's or its own, and what it does
// next.
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "plugin/opensm/fast_path.hpp"

namespace selvedge {
namespace {

constexpr auto kReadyCheck = std::chrono::milliseconds(200);  // without a trap
constexpr auto kSweepPatience = std::chrono::seconds(5);

}  // namespace

void FastPath::start(std::string agent_program) {
  agent_program_ = std::move(agent_program);
  sigset_t all, before;  // OpenSM's threads handle its signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    writer_thread_ = std::thread([this] { run(); });
    thinker_thread_ = std::thread([this] { think(); });
  } catch (const std::system_error& e) {
    border_.log(true, fmt::format("no fast path: no thread: {}", e.what()));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FastPath::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread* thread : {&thinker_thread_, &writer_thread_})
    if (thread->joinable()) thread->join();
  agent_.stop();
}

void FastPath::notice(Lid issuer) {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(issuers_, issuer) != issuers_.end()) return;
    issuers_.push_back(issuer);
  }
  changed_.notify_all();
}

bool FastPath::try_begin_sweep() {
  const std::lock_guard lock(mutex_);
  if (writer_ == Writer::kFastPath) return false;
  writer_ = Writer::kSweep;
  return true;
}

void FastPath::begin_sweep() {
  std::unique_lock lock(mutex_);
  const auto free = [this] { return writer_ != Writer::kFastPath && (!found_gone_ || stopping_); };
  if (!changed_.wait_for(lock, kSweepPatience, free)) {
    found_gone_.reset();
    agent_.hurry(true);
    changed_.wait(lock, free);
    agent_.hurry(false);
    border_.log(true, "the fast path kept a sweep waiting and was told to leave the rest to it");
  }
  writer_ = Writer::kSweep;
}

void FastPath::take_out_for_sweep(std::shared_ptr<const Plan> plan, Fault fault) {
  {
    const std::lock_guard lock(mutex_);
    found_gone_ = {std::move(plan), std::move(fault)};
    writer_ = Writer::kNobody;
  }
  changed_.notify_all();
  begin_sweep();
}

void FastPath::end_sweep() {
  {
    const std::lock_guard lock(mutex_);
    if (writer_ == Writer::kSweep) writer_ = Writer::kNobody;
    sweep_ended_ = true;
  }
  changed_.notify_all();
}

/// Faults first; then what waits since a sweep; then what was ordered.
FastPath::Work FastPath::take_work() {
  Work work;
  work.issuers = std::exchange(issuers_, {});
  work.gone = std::exchange(found_gone_, {});
  if (work.fault()) return work;
  if (border_.is_master()) work.back = border_.come_back();
  if (!work.back) work.thought = std::exchange(thought_, nullptr);
  return work;
}

void FastPath::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kReadyCheck, [this] {
      return stopping_ || (writer_ == Writer::kNobody &&
                           (sweep_ended_ || found_gone_ || !issuers_.empty() || thought_));
    });
    if (stopping_) break;
    if (writer_ != Writer::kNobody) continue;
    sweep_ended_ = false;
    Work work = take_work();
    if (work.writes()) writer_ = Writer::kFastPath;
    lock.unlock();
    do_safely(work);
    prepared_ = ready_ ? ready_->plan.get() : nullptr;
    able_ = agent_.running();
    lock.lock();
    if (work.writes() && !ready_) sweep_ended_ = true;  // new tables: prepare at once
    if (writer_ == Writer::kFastPath) {
      writer_ = Writer::kNobody;
      changed_.notify_all();
    }
  }
}

/// What fails is left to the sweep, and whoever ordered it is told why.
void FastPath::do_safely(Work& work) {
  bool failed = true;
  try {
    do_as_master(work);
    failed = false;
  } catch (const std::exception& e) {
    ready_.reset();
    if (work.thought != nullptr)
      work.thought->error = std::current_exception();
    else
      border_.log(true, fmt::format("fast path: {}; the sweep goes on", e.what()));
  }
  if (work.back && failed) border_.leave_to_sweep();  // it would fail again
  if (work.thought == nullptr) return;
  const std::lock_guard lock(mutex_);
  work.thought->fate = work.fate;
  changed_.notify_all();
}

void FastPath::do_as_master(Work& work) {
  if (!border_.is_master()) return;
  get_ready();
  if (!work.issuers.empty() && ready_) handle(work.issuers);
  if (work.gone && ready_ && ready_->plan == work.gone->plan) repair(work.gone->fault, 0);
  if (work.back) take_in(*work.back);
  if (work.thought != nullptr) work.fate = carry_through(*work.thought);
  if (border_.release_held()) border_.ask_for_sweep();
  if (!work.writes() && shortening_due()) {
    looked_at_ = ready_->plan;
    const std::lock_guard lock(mutex_);
    orders_.push_back({next_order_++, {Order::Kind::kShorten, {}}, {}});
    changed_.notify_all();
  }
}

/// Has a repaired plan been in force for long enough to be compared with a fresh one?
bool FastPath::shortening_due() {
  const PluginConfig::Drift drift = border_.drift();
  return drift.quiet_s > 0 && ready_ && ready_->plan->whole && ready_->plan != looked_at_ &&
         std::chrono::steady_clock::now() - changed_at_ > std::chrono::seconds(drift.quiet_s);
}

}  // namespace selvedge
