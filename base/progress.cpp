// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace selvedge {
namespace {

constexpr double kQuietSeconds = 2;  // work that takes less time shows nothing
constexpr std::chrono::milliseconds kRedraw{200};
constexpr unsigned kBarWidth = 24;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

unsigned columns_of(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// Errors are ignored: if the terminal is gone, the work should not fail for the progress line.
void put(int fd, std::string_view text) {
  if (::write(fd, text.data(), text.size()) < 0) return;
}

}  // namespace

std::string progress_line(const ProgressState& state, unsigned columns) {
  std::string line;
  if (state.total == 0) {
    line = fmt::format("{}  {}", state.phase, duration(state.phase_s));
  } else {
    const double share =
        std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    const auto filled = static_cast<unsigned>(share * kBarWidth);
    line = fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %", state.phase, "", filled, "",
                       kBarWidth - filled, share * 100);
    const double rate = state.phase_s > 0 ? static_cast<double>(state.done) / state.phase_s : 0;
    if (rate > 0)
      line += fmt::format("  {:.{}f} {}/s  {} left", rate, rate < 10 ? 1 : 0, state.unit,
                          duration(state.phase_s * (1 - share) / std::max(share, 1e-9)));
  }
  if (line.size() >= columns) line.resize(columns > 1 ? columns - 1 : 0);
  return line;
}

Progress::Progress() {
  if (::isatty(STDERR_FILENO) == 0) return;
  fd_ = STDERR_FILENO;
  thread_ = std::jthread([this](std::stop_token stop) { draw(std::move(stop), kQuietSeconds); });
}

Progress::Progress(int fd) : fd_(fd) {
  thread_ = std::jthread([this](std::stop_token stop) { draw(std::move(stop), 0); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Progress::phase(std::string_view name, std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  state_ = {std::string(name), std::string(unit), 0, total, 0};
  phase_began_s_ = now_s();
  done_.store(0, std::memory_order_relaxed);
  changed_.notify_all();
}

void Progress::draw(std::stop_token stop, double quiet_s) {
  const double began = now_s();
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!state_.phase.empty() && now_s() - began >= quiet_s) {
      ProgressState state = state_;
      state.done = done_.load(std::memory_order_relaxed);
      state.phase_s = now_s() - phase_began_s_;
      put(fd_, fmt::format("\r{}\033[K", progress_line(state, columns_of(fd_))));
      shown = true;
    }
    changed_.wait_for(lock, stop, kRedraw, [&stop] { return stop.stop_requested(); });
  }
  if (shown) put(fd_, "\r\033[K");
}

}  // namespace selvedge
