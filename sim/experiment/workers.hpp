// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Simulates points in parallel on this machine's cores: each thread takes the next point that has
// not been started. A point's result does not depend on the thread or the order.
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
  using Done = std::function<void(const Point&, const RoutedFabric&, const PointResult&)>;

  /// Starts at once, `jobs` points at a time. `routed_fabrics` must have been made for these
  /// points. `done` is called by one thread at a time. The points and the routed fabrics must
  /// outlive the workers.
  Workers(std::vector<const Point*> points, RoutedFabrics& routed_fabrics, unsigned jobs,
          Done done);
  /// Waits for the points that have started, and starts no more.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  bool finished() const { return running_.load() == 0; }
  /// Simulated microseconds so far, of all points together.
  std::uint64_t simulated_us() const { return simulated_us_.load(std::memory_order_relaxed); }
  /// Waits for the end. Rethrows the first exception of a point or of `done`, after which no
  /// further point is started.
  void wait();

 private:
  void work();

  const std::vector<const Point*> points_;
  RoutedFabrics& routed_fabrics_;
  const Done done_;
  std::atomic<std::size_t> next_{0};
  std::atomic<unsigned> running_{0};
  std::atomic<std::uint64_t> simulated_us_{0};
  std::mutex mutex_;  // guards done_ and error_
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;
};

/// The number of cores on which this process may run.
unsigned cores();

}  // namespace selvedge::sim
