// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The progress line on standard error: shown once the work has taken over 2 s, and only when
// standard error is a terminal. Work that can count its steps gets a bar with rate and time left.
// Work that can't (one call into a proof, say) gets the name of the phase and the time elapsed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace selvedge {

/// What a progress line shows.
struct ProgressState {
  std::string phase;  // "proving the tables"
  std::string unit;   // "pairs"
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0 = can't be counted
  double phase_s = 0;       // since the phase began
};

/// The line, at most `columns` wide.
std::string progress_line(const ProgressState& state, unsigned columns);

/// Draws from a thread of its own, so that a slow terminal never blocks the work. advance() may be
/// called from any thread, everything else from one thread only.
class Progress {
 public:
  /// Silent unless standard error is a terminal.
  Progress();
  /// For tests: draws on `fd` from the start.
  explicit Progress(int fd);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Erases the line.
  ~Progress();

  void phase(std::string_view name, std::uint64_t total = 0, std::string_view unit = "");
  void advance(std::uint64_t done) { done_.store(done, std::memory_order_relaxed); }

 private:
  void draw(std::stop_token stop, double quiet_s);

  int fd_ = -1;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  ProgressState state_;
  double phase_began_s_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::jthread thread_;
};

}  // namespace selvedge
