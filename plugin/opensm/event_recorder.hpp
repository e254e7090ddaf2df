// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Records routing events in a thread of its own, so that neither sweeps nor repairs wait: counts
// them for the metrics, appends them to the event log, and passes them to the hook.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "plugin/control/routing_metrics.hpp"
#include "plugin/opensm/hook_runner.hpp"

namespace selvedge {

class EventRecorder {
 public:
  /// The most events that wait to be written; further ones are dropped. (A disk that hangs must not
  /// take more and more memory.)
  static constexpr std::size_t kMaxQueued = 1024;

  /// `report`: writes a line to OpenSM's log; called by the threads.
  explicit EventRecorder(std::function<void(bool error, const std::string& line)> report)
      : report_(report), hooks_(std::move(report)) {}
  ~EventRecorder() { stop(); }
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  /// Sets the event log ("" = none), the hook ("" = none) and its time limit, from now on.
  void set(const std::string& log, const std::string& hook, unsigned hook_limit_s);
  /// Queues an event without blocking. The first one starts the thread.
  void add(RoutingEvent event);
  /// Records what is queued, and ends the hook under way.
  void stop();

  RoutingCounters counters() const;
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t hooks_run() const { return hooks_.runs(); }
  std::uint64_t hooks_failed() const { return hooks_.failed(); }

 private:
  struct Taken {
    RoutingEvent event;
    std::string time;
  };
  void run();
  void record(Taken& taken);
  void append(const std::string& path, const std::string& line);
  void note_dropped(std::string_view by);

  const std::function<void(bool, const std::string&)> report_;
  HookRunner hooks_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Taken> queue_;
  std::string log_;
  RoutingCounters counters_;
  bool stopping_ = false;
  std::thread thread_;
  std::string log_fault_;  // used by the thread: what the log says of the file; "" = nothing
  std::atomic<bool> full_ = false;  // whether the last event was dropped
  std::atomic<std::uint64_t> dropped_ = 0;
};

/// Appends a line to the file, which is created if it is missing. Returns "", or what went wrong.
/// Anything but a regular file is refused, because a pipe would block.
std::string append_line(const std::string& path, const std::string& line);

}  // namespace selvedge
