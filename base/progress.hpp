// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The progress line on standard error. It is shown once the work has taken over 2 s, and only if
// standard error is a terminal. If the steps of the work can be counted, the line is a bar with the
// rate and the time left. If they cannot (one call into a proof, say), it is the name of the phase
// and the time elapsed.
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
  std::string phase;  // what is being done: "proving the tables"
  std::string unit;   // what is counted: "pairs"
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: cannot be counted
  double phase_s = 0;       // seconds since the phase began
};

/// The progress line as text of at most `columns` characters.
std::string progress_line(const ProgressState& state, unsigned columns);

/// A thread of its own draws the line, so that a slow terminal never blocks the work. advance() may
/// be called from any thread, all other functions from one thread only.
class Progress {
 public:
  /// Draws only if standard error is a terminal.
  Progress();
  /// For tests: draws on `fd`, without waiting.
  explicit Progress(int fd);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Erases the progress line.
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
