// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Runs the operator's program for each event, with the event as one line of JSON on its standard
// input: one at a time, in order, with a time limit. What it writes is discarded. A thread waits
// for it, so that it delays nothing but the next run; events that find the queue full are dropped.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace selvedge {

class HookRunner {
 public:
  static constexpr std::size_t kMaxQueued = 256;

  /// `report` is called by the thread with a line for the log: when a run fails after one that
  /// succeeded, and when runs succeed again.
  explicit HookRunner(std::function<void(bool error, const std::string& line)> report)
      : report_(std::move(report)) {}
  ~HookRunner() { stop(); }
  HookRunner(const HookRunner&) = delete;
  HookRunner& operator=(const HookRunner&) = delete;

  /// Which program runs from the next event on ("" = none), and for how long it may.
  void set(const std::string& program, unsigned limit_s);
  /// Adds an event; false if the queue is full. The first event starts the thread.
  bool add(std::string line);
  /// Ends the program that runs, and drops the events that wait.
  void stop();

  std::uint64_t runs() const { return runs_; }
  std::uint64_t failed() const { return failed_; }

 private:
  void run();
  std::string run_program(const std::string& program, unsigned limit_s, const std::string& line);

  const std::function<void(bool, const std::string&)> report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string program_;
  unsigned limit_s_ = 0;
  std::deque<std::string> queue_;
  std::atomic<bool> stopping_ = false;
  int wake_ = -1;  // an eventfd, readable if the runner is to stop
  std::thread thread_;
  std::atomic<std::uint64_t> runs_ = 0, failed_ = 0;
};

}  // namespace selvedge
