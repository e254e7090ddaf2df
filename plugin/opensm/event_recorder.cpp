// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/event_recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "plugin/control/pairs_without_path.hpp"
#include "plugin/opensm/timeline.hpp"

namespace selvedge {

std::string append_line(const std::string& path, const std::string& line) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0640);
  if (fd < 0) return std::strerror(errno);
  struct stat found{};
  if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(fd);
    return "it is no regular file";
  }
  const ssize_t n = write(fd, line.data(), line.size());
  std::string fault;
  if (n < 0) fault = std::strerror(errno);
  if (n >= 0 && n != static_cast<ssize_t>(line.size())) fault = "the disk is full";
  close(fd);
  return fault;
}

void EventRecorder::set(const std::string& log, const std::string& hook, unsigned hook_limit_s) {
  hooks_.set(hook, hook_limit_s);
  const std::lock_guard lock(mutex_);
  log_ = log;
}

void EventRecorder::add(RoutingEvent event) {
  std::string time = utc_now();
  bool dropped = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    dropped = queue_.size() >= kMaxQueued;
    if (!dropped) queue_.push_back({std::move(event), std::move(time)});
    if (!thread_.joinable()) {
      try {
        thread_ = std::thread([this] { run(); });
      } catch (const std::system_error&) {  // tried again at the next event
      }
    }
  }
  if (dropped)
    note_dropped("the log of events");
  else
    changed_.notify_all();
}

/// Counts a dropped event. Logs only the first of a flood of them.
void EventRecorder::note_dropped(std::string_view by) {
  ++dropped_;
  if (!full_.exchange(true))
    report_(true, fmt::format("events come faster than {} takes them: some are dropped, and "
                              "counted in selvedge_sm_events_dropped_total",
                              by));
}

void EventRecorder::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  hooks_.stop();
}

RoutingCounters EventRecorder::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

void EventRecorder::run() {
  sigset_t all;  // blocked in this thread: OpenSM's own threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Taken taken = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    try {
      record(taken);
    } catch (const std::exception&) {  // no memory: opensm goes on without this event
      ++dropped_;
    }
    lock.lock();
  }
}

void EventRecorder::record(Taken& taken) {
  RoutingEvent& event = taken.event;
  if (event.kind == RoutingEvent::Kind::kRepair && event.before)
    event.pairs_without_path =
        pairs_without_path(event.before->fabric, event.before->tables, event.lost);
  if (event.kind == RoutingEvent::Kind::kSweep && event.after && !event.same) {
    const Plan& after = *event.after;
    const ChangedLfts changed =
        event.before
            ? changed_lfts(event.before->fabric, event.before->tables, after.fabric, after.tables)
            : changed_lfts(Fabric(), Tables(Fabric()), after.fabric, after.tables);
    event.entries = changed.entries;
    event.blocks = changed.blocks;
  }
  std::string log;
  {
    const std::lock_guard lock(mutex_);
    counters_.add(event);
    log = log_;
  }
  if (!is_news(event)) return;
  const std::string line = event_line(event, taken.time);
  if (!log.empty()) append(log, line);
  if (!hooks_.add(line))
    note_dropped("the event hook");
  else
    full_ = false;
}

void EventRecorder::append(const std::string& path, const std::string& line) {
  const std::string fault = append_line(path, line);
  if (!fault.empty() && fault != log_fault_)
    report_(true, fmt::format("cannot write the log of events ({}): {}: set [events] log in "
                              "plugin.toml to a file that can be written",
                              fault, path));
  log_fault_ = fault;
}

}  // namespace selvedge
