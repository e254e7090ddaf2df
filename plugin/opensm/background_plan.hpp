// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes an engine's tables and their proof in a thread of its own, so that OpenSM's lock is held
// no longer than the deadline. Another fabric, engine or bound ends the computation under way.
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
  /// `ready` is called in the thread of the computation when a result is there that begin() or
  /// within() has not returned.
  explicit BackgroundPlan(std::function<void()> ready) : ready_(std::move(ready)) {}
  ~BackgroundPlan() { stop(); }
  BackgroundPlan(const BackgroundPlan&) = delete;
  BackgroundPlan& operator=(const BackgroundPlan&) = delete;

  /// Begins this computation, or goes on with the same one, and waits for its result. nullopt: it
  /// is not ready by the deadline, and goes on.
  std::optional<Computed> within(std::chrono::milliseconds deadline, Computation task);
  /// The same without waiting. If the result is there already, `ready` is called at once.
  void begin(Computation task);
  /// The next computation begins anew, even if it is the same one: what it reads beside the fabric
  /// (hints, files) has changed.
  void forget();
  /// Ends the computation and waits for its thread.
  void stop();

  /// The result for this fabric and engine; nullopt: there is none.
  std::optional<Computed> result(const std::string& engine, const Fabric& fabric) const;

  /// What is under way, for the status.
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
    std::optional<Computed> result;
    bool awaited = false;   // somebody has left without the result
    bool finished = false;  // the thread touches nothing any more
    std::thread thread;
  };
  bool same(const Computation& task) const;
  void start(Computation task);
  void work(Job& job);
  void end_current();

  const std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;                 // the last one begun
  std::vector<std::shared_ptr<Job>> ended_;  // told to end; a proof is not interrupted
};

}  // namespace selvedge
