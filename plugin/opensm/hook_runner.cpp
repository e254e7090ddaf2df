// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/hook_runner.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "plugin/opensm/spawn.hpp"

namespace selvedge {
namespace {

/// A file in memory with this content, positioned at its beginning, so that a program that does not
/// read its input delays nobody. Returns −1 if it cannot be made.
int memory_file(const std::string& content) {
  const int fd = memfd_create("selvedge-event", MFD_CLOEXEC);
  if (fd < 0) return -1;
  const ssize_t n = pwrite(fd, content.data(), content.size(), 0);
  if (n == static_cast<ssize_t>(content.size())) return fd;
  close(fd);
  return -1;
}

/// Whether the process, a pidfd, ends within the limit, and before `wake` is readable.
bool ends_in_time(int process, unsigned limit_s, int wake) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limit_s);
  pollfd fds[2] = {{process, POLLIN, 0}, {wake, POLLIN, 0}};
  int ready = 0;
  do {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    ready = left.count() <= 0 ? 0 : poll(fds, 2, static_cast<int>(left.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && fds[0].revents != 0;
}

}  // namespace

void HookRunner::set(const std::string& program, unsigned limit_s) {
  const std::lock_guard lock(mutex_);
  program_ = program;
  limit_s_ = limit_s;
}

bool HookRunner::add(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    if (program_.empty() || stopping_) return true;
    if (queue_.size() >= kMaxQueued) return false;
    queue_.push_back(std::move(line));
    if (!thread_.joinable()) {
      try {
        if (wake_ < 0) wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        thread_ = std::thread([this] { run(); });
      } catch (const std::system_error&) {  // tried again at the next event
        return false;
      }
    }
  }
  changed_.notify_all();
  return true;
}

void HookRunner::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
    const std::uint64_t one = 1;
    if (wake_ >= 0) {
      [[maybe_unused]] const ssize_t n = write(wake_, &one, sizeof one);
    }
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (wake_ >= 0) close(std::exchange(wake_, -1));
}

void HookRunner::run() {
  sigset_t all;  // blocked in this thread: OpenSM's own threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::string reported;  // the failure last reported; "" = the last run succeeded
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const std::string line = std::move(queue_.front());
    queue_.pop_front();
    const std::string program = program_;
    const unsigned limit_s = limit_s_;
    lock.unlock();
    if (!program.empty()) {
      ++runs_;
      std::string failure;
      try {
        failure = run_program(program, limit_s, line);
      } catch (const std::exception& e) {
        failure = fmt::format("could not be run ({})", e.what());
      }
      if (stopping_) return;  // which has ended the program
      if (!failure.empty()) ++failed_;
      if (!failure.empty() && failure != reported)
        report_(true, fmt::format("the event hook {}: {}: correct it, or [events] run in "
                                  "plugin.toml; further failures of this kind are only counted",
                                  failure, program));
      if (failure.empty() && !reported.empty())
        report_(false, fmt::format("the event hook works again: {}", program));
      reported = failure;
    }
    lock.lock();
  }
}

/// Runs the program for one event; returns what went wrong, "" for nothing.
std::string HookRunner::run_program(const std::string& program, unsigned limit_s,
                                    const std::string& line) {
  const int input = memory_file(line);
  if (input < 0) return fmt::format("got no input ({})", std::strerror(errno));
  pid_t pid = -1;
  const int failed = spawn({.program = program,
                            .descriptors = {{input, STDIN_FILENO}},
                            .quiet = true,
                            .own_group = true},
                           pid);
  close(input);
  if (failed != 0) return fmt::format("cannot be started ({})", std::strerror(failed));
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  const int unwatched = process < 0 ? errno : 0;
  const bool ended = process >= 0 && ends_in_time(process, limit_s, wake_);
  if (process >= 0) close(process);
  if (!ended) kill(-pid, SIGKILL);  // with what it has started
  int status = 0;
  pid_t waited = 0;
  do waited = waitpid(pid, &status, 0);
  while (waited < 0 && errno == EINTR);
  if (unwatched != 0)
    return fmt::format("was ended, as it cannot be watched ({})", std::strerror(unwatched));
  if (!ended) return fmt::format("was ended after {} s", limit_s);
  if (waited < 0) return "";  // OpenSM's process has its children reaped by the system
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("ended with status {}", WEXITSTATUS(status));
  return "";
}

}  // namespace selvedge
