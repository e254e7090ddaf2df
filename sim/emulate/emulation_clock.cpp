// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/emulation_clock.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace selvedge::sim {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr microseconds kLongest{50'000};  // between two looks at what has happened
constexpr microseconds kSoon{20};         // while a manager is about to run
constexpr nanoseconds kStride{200'000};   // of the fabric's time, between two looks at the sockets

/// The first line of a file of /proc; empty if the process has ended.
std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool is_manager(pid_t pid) {
  const std::string name = first_line(fmt::format("/proc/{}/comm", pid));
  return name == "opensm" || name.starts_with("selvedge-smp-a");
}

/// The state of a thread in /proc/PID/task/TID/stat stands after its name, which is in parentheses.
bool sleeps(const std::string& stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return true;  // it has ended
  return stat[name_end + 2] != 'R' && stat[name_end + 2] != 'D';
}

nanoseconds read_clock(clockid_t clock) {
  timespec t{};
  if (::clock_gettime(clock, &t) != 0) return nanoseconds::zero();
  return std::chrono::seconds(t.tv_sec) + nanoseconds(t.tv_nsec);
}

}  // namespace

Milliseconds FreeRunningClock::now() {
  return static_cast<Milliseconds>(
      duration_cast<milliseconds>(std::chrono::steady_clock::now() - start_).count());
}

microseconds FreeRunningClock::step(Core& core, std::optional<Milliseconds> deadline,
                                    const std::function<bool()>&) {
  if (!deadline) return kLongest;
  return *deadline > core.now()
             ? std::min(kLongest, microseconds(milliseconds(*deadline - core.now())))
             : microseconds::zero();
}

Milliseconds ManagerClock::now() {
  return static_cast<Milliseconds>(duration_cast<milliseconds>(plane_.now()).count());
}

void ManagerClock::client_came(pid_t pid) {
  client_left(pid);  // the number may have been used before
  clockid_t clock{};
  if (!is_manager(pid) || ::clock_getcpuclockid(pid, &clock) != 0) return;
  managers_.push_back({pid, clock, read_clock(clock)});
}

void ManagerClock::client_left(pid_t pid) {
  std::erase_if(managers_, [pid](const Manager& m) { return m.pid == pid; });
}

/// CPU time that the managers have used since the last call.
nanoseconds ManagerClock::used_since() {
  nanoseconds sum{};
  for (Manager& m : managers_) {
    const nanoseconds used = std::max(m.used, read_clock(m.clock));
    sum += used - std::exchange(m.used, used);
  }
  used_ += sum;
  return sum;
}

bool ManagerClock::all_wait() const {
  for (const Manager& m : managers_) {
    std::error_code gone;
    for (const auto& thread :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/task", m.pid), gone))
      if (!sleeps(first_line(thread.path() / "stat"))) return false;
  }
  return true;
}

nanoseconds ManagerClock::advance_target() {
  const nanoseconds used = used_since();
  target_ = std::max(target_, plane_.now()) +
            nanoseconds(static_cast<std::int64_t>(static_cast<double>(used.count()) * speed_));
  return used;
}

bool ManagerClock::caught_up() {
  advance_target();
  return plane_.reached(target_);
}

bool ManagerClock::counts(pid_t pid) const {
  return std::ranges::any_of(managers_, [pid](const Manager& m) { return m.pid == pid; });
}

microseconds ManagerClock::step(Core& core, std::optional<Milliseconds> deadline,
                                const std::function<bool()>& all_read) {
  const nanoseconds used = advance_target();
  const auto due = deadline ? std::optional<nanoseconds>(milliseconds(*deadline)) : std::nullopt;
  if (!plane_.reached(target_)) {
    plane_.run(std::min(target_, plane_.now() + kStride), core);
    return microseconds::zero();
  }
  if (used > nanoseconds::zero() || !all_read() || !all_wait()) return kSoon;
  // All managers wait: for SMPs under way, for the next event, or for nothing.
  if (plane_.under_way() > 0 || (due && !managers_.empty())) {
    const nanoseconds stride = plane_.now() + kStride;
    plane_.run(due ? std::min(std::max(*due, plane_.now() + nanoseconds(1000)), stride) : stride,
               core);
    return microseconds::zero();
  }
  return kLongest;
}

}  // namespace selvedge::sim
