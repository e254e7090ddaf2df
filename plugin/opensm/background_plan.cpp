// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/background_plan.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>
#include <utility>

namespace selvedge {
namespace {

/// How much nicer than OpenSM's threads a computation is that nobody waits for.
constexpr int kGivesWay = 10;

/// Sets how nice a thread is, compared with the calling one. To be less nice again takes
/// privileges, which opensm has; without them it stays as it is.
void set_niceness(pid_t thread, int more) {
  errno = 0;
  const int own = getpriority(PRIO_PROCESS, 0);
  if (thread != 0 && errno == 0) setpriority(PRIO_PROCESS, static_cast<id_t>(thread), own + more);
}

}  // namespace

std::optional<Computed> BackgroundPlan::within(std::chrono::milliseconds deadline, Computation task,
                                               const PlanRequest::Meanwhile& meanwhile) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  std::unique_lock lock(mutex_);
  if (!same(task)) start(std::move(task));
  const std::shared_ptr<Job> job = job_;
  if (!job->finished) set_niceness(job->thread_id, 0);
  if (meanwhile) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  changed_.wait_until(lock, until, [&] { return job->result.has_value(); });
  job->awaited = !job->result;
  if (job->awaited && !job->finished) set_niceness(job->thread_id, kGivesWay);
  return job->result;
}

void BackgroundPlan::begin(Computation task) {
  bool there = false;
  {
    const std::lock_guard lock(mutex_);
    if (!same(task)) start(std::move(task));
    job_->awaited = !job_->result;
    if (job_->awaited && !job_->finished) set_niceness(job_->thread_id, kGivesWay);
    there = job_->result && !job_->result->failure;
  }
  if (there) ready_();
}

void BackgroundPlan::forget() {
  const std::lock_guard lock(mutex_);
  end_current();
}

void BackgroundPlan::stop() {
  std::vector<std::shared_ptr<Job>> all;
  {
    const std::lock_guard lock(mutex_);
    end_current();
    all = std::exchange(ended_, {});
  }
  for (const std::shared_ptr<Job>& job : all) job->thread.join();
}

std::optional<Computed> BackgroundPlan::result(const std::string& engine,
                                               const Fabric& fabric) const {
  const std::lock_guard lock(mutex_);
  if (!job_ || job_->task.engine->name != engine || !same_subnet(job_->task.fabric, fabric))
    return std::nullopt;
  return job_->result;
}

std::optional<BackgroundPlan::Progress> BackgroundPlan::progress() const {
  const std::lock_guard lock(mutex_);
  if (!job_ || job_->result) return std::nullopt;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - job_->begun;
  return Progress{std::string(job_->task.engine->name), job_->done, job_->total, since.count()};
}

bool BackgroundPlan::same(const Computation& task) const {
  if (!job_) return false;
  const Computation& own = job_->task;
  const auto bounds = [](const EngineRequest& r) {
    return std::tie(r.max_vls, r.max_sls, r.fill_vls, r.tree, r.root, r.hints);
  };
  return own.engine == task.engine && own.guard == task.guard &&
         bounds(own.request) == bounds(task.request) && same_subnet(own.fabric, task.fabric);
}

/// Ends the computation at the engine's next report of its progress, and drops its result.
void BackgroundPlan::end_current() {
  if (job_) {
    job_->ending = true;
    ended_.push_back(std::move(job_));
  }
  std::erase_if(ended_, [](const std::shared_ptr<Job>& job) {
    if (job->finished) job->thread.join();
    return job->finished;
  });
}

void BackgroundPlan::start(Computation task) {
  end_current();
  job_ = std::make_shared<Job>();
  job_->task = std::move(task);
  job_->task.request.progress = [job = job_.get()](std::uint64_t done, std::uint64_t total) {
    if (job->ending) throw ComputationEnded{};
    job->done = done;
    job->total = total;
  };
  sigset_t all, before;  // signals are for OpenSM's threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  job_->thread = std::thread([this, job = job_.get()] { work(*job); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void BackgroundPlan::work(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    job.thread_id = gettid();
    if (job.awaited) set_niceness(job.thread_id, kGivesWay);
  }
  std::optional<Computed> computed;
  try {
    computed = run(job.task);
  } catch (const ComputationEnded&) {
  } catch (const std::exception& e) {  // for example, its proof ran out of memory
    computed = Computed{std::nullopt, std::string(job.task.engine->name) + ": " + e.what()};
  }
  bool tell = false;
  {
    const std::lock_guard lock(mutex_);
    if (!job.ending) {
      job.result = std::move(computed);
      tell = job.awaited;
    }
  }
  changed_.notify_all();
  if (tell) ready_();
  const std::lock_guard lock(mutex_);
  job.finished = true;
}

}  // namespace selvedge
