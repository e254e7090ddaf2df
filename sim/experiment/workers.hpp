// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Points in parallel over this machine's cores: each thread takes the next one that nobody has.
// What a point gives does not depend on who simulates it, or when.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/experiment/run_point.hpp"

namespace selvedge::sim {

class Workers {
 public:
  using Done = std::function<void(const Point&, const Setting&, const PointResult&)>;

  /// Begins at once, `jobs` at a time; `settings` must know the points. `done` is called by one
  /// thread at a time. The points, which stay where they are, and the settings must outlive it.
  Workers(std::vector<const Point*> points, Settings& settings, unsigned jobs, Done done);
  /// Ends what has begun, and begins nothing more.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  bool finished() const { return running_.load() == 0; }
  /// Simulated microseconds, and points done, until now.
  std::uint64_t simulated_us() const { return simulated_us_.load(std::memory_order_relaxed); }
  /// Waits for the end. Throws what a point, or `done`, threw first; nothing more was begun then.
  void wait();

 private:
  void work();

  const std::vector<const Point*> points_;
  Settings& settings_;
  const Done done_;
  std::atomic<std::size_t> next_{0};
  std::atomic<unsigned> running_{0};
  std::atomic<std::uint64_t> simulated_us_{0};
  std::mutex mutex_;  // of done_ and error_
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;
};

/// Cores that this process may run on.
unsigned cores();

}  // namespace selvedge::sim
