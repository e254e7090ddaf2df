// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes an engine's tables and their proof in a thread of its own, so that OpenSM's lock is held
// no longer than the deadline. While nobody waits for it, its thread gives way to OpenSM's. Another
// fabric, engine or bound ends the computation under way.
//
// Thread-safe. The result is kept until another computation begins.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "plugin/control/planner.hpp"

namespace selvedge {

class BackgroundPlan {
 public:
  /// `ready` is called in the thread of the computation if a result arrives for which within() or
  /// begin() has not waited.
  explicit BackgroundPlan(std::function<void()> ready) : ready_(std::move(ready)) {}
  ~BackgroundPlan() { stop(); }
  BackgroundPlan(const BackgroundPlan&) = delete;
  BackgroundPlan& operator=(const BackgroundPlan&) = delete;

  /// Starts this computation, or continues it if it is under way, and waits for its result.
  /// `meanwhile`, if it is not null, runs in the calling thread first; its time counts. nullopt:
  /// the result is not ready by the deadline, and the computation continues.
  std::optional<Computed> within(std::chrono::milliseconds deadline, Computation task,
                                 const PlanRequest::Meanwhile& meanwhile = nullptr);
  /// within() without waiting. If tables were computed already, `ready` is called at once.
  void begin(Computation task);
  /// Ends the computation and drops its result, because what it reads beside the fabric (hints,
  /// files) has changed.
  void forget();
  /// Ends the computation and waits for its thread.
  void stop();

  /// The result for this fabric and engine; nullopt if there is none.
  std::optional<Computed> result(const std::string& engine, const Fabric& fabric) const;

  /// The computation under way, for the status.
  struct Progress {
    std::string engine;
    std::uint64_t done = 0, total = 0;  // destination switches; 0 of 0: not known yet
    double seconds = 0;                 // since it began
  };
  std::optional<Progress> progress() const;

 private:
  struct Job {
    Computation task;
    std::atomic<bool> ending = false;
    std::atomic<std::uint64_t> done = 0, total = 0;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    // Guarded by mutex_.
    pid_t thread_id = 0;  // 0: not running yet
    std::optional<Computed> result;
    bool awaited = false;   // a caller did not wait for the result, so `ready` is called for it
    bool finished = false;  // the thread accesses no data any more
    std::thread thread;
  };
  bool same(const Computation& task) const;
  void start(Computation task);
  void work(Job& job);
  void end_current();

  const std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;  // the last one begun
  /// Jobs whose result is no longer needed. They end at the engine's next report of its progress. A
  /// proof is not interrupted.
  std::vector<std::shared_ptr<Job>> ended_;
};

}  // namespace selvedge
