// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Runs the same work in several threads, and ends when all have ended.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace selvedge {

/// Runs work(i) for i = 0 … threads − 1 in parallel; the calling thread runs work(0). Rethrows the
/// first exception after all have ended.
template <class Work>
void run_threads(unsigned threads, Work work) {
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto guarded = [&](unsigned i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(guarded, i);
    guarded(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace selvedge
