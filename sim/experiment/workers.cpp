// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace selvedge::sim {

Workers::Workers(std::vector<const Point*> points, RoutedFabrics& routed_fabrics, unsigned jobs,
                 Done done)
    : points_(std::move(points)), routed_fabrics_(routed_fabrics), done_(std::move(done)) {
  const auto threads =
      static_cast<unsigned>(std::min<std::size_t>(std::max(jobs, 1u), points_.size()));
  running_ = threads;
  for (unsigned i = 0; i < threads; ++i)
    threads_.emplace_back([this] {
      work();
      --running_;
    });
}

Workers::~Workers() { next_ = points_.size(); }

void Workers::work() {
  for (std::size_t i; (i = next_.fetch_add(1)) < points_.size();) {
    const Point& point = *points_[i];
    try {
      const auto routed = routed_fabrics_.of(point);
      const PointResult result = run_point(point, *routed, &simulated_us_);
      const std::lock_guard lock(mutex_);
      done_(point, *routed, result);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = points_.size();
    }
    routed_fabrics_.release(point);
  }
}

void Workers::wait() {
  threads_.clear();  // joins
  if (error_) std::rethrow_exception(error_);
}

unsigned cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&set)));
}

}  // namespace selvedge::sim
