// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/smp_agent.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "plugin/control/smp_exchange.hpp"
#include "plugin/opensm/agent_socket.hpp"
#include "plugin/opensm/spawn.hpp"

namespace selvedge {
namespace {

constexpr int kStartMs = 2000;  // how long the agent may take to become ready
/// The agent's umad_send() applies a try's time-out; run() waits this much longer for its report.
constexpr int kGraceMs = 50;
constexpr int kLookMs = 50;      // how often run() checks for set_abort()
constexpr int kStopTries = 100;  // how often stop() checks, each 10 ms, whether the agent has ended

Instant monotonic() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace

std::optional<std::string> SmpAgent::start(const std::string& program, Guid port) {
  stop();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
    return fmt::format("no socket for the SMP agent: {}", std::strerror(errno));
  const std::string guid = fmt::format("0x{:016x}", port);
  const int failed = spawn({.program = program,
                            .arguments = {guid},
                            .descriptors = {{ends[1], kSmpAgentSocket}},
                            .last = kSmpAgentSocket},
                           pid_);
  close(ends[1]);
  if (failed != 0) {
    pid_ = -1;
    close(ends[0]);
    return fmt::format("cannot start {}: {}", program, std::strerror(failed));
  }
  socket_ = ends[0];
  SmpAnswer ready;
  const bool answered = take(ready, kStartMs);
  if (answered && ready.status == kSmpAgentProtocol) return std::nullopt;
  stop();
  if (answered)
    return fmt::format(
        "{} is of another version than the plugin that opensm has loaded: restart "
        "opensm",
        program);
  return fmt::format("{} {} did not become ready", program, guid);
}

void SmpAgent::stop() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (pid_ < 0) return;
  for (int i = 0; i < kStopTries; ++i) {  // the agent ends by itself when the socket closes
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = -1;
      return;
    }
    usleep(10'000);
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void SmpAgent::look() {
  if (!running()) return;
  std::uint8_t byte = 0;
  const ssize_t got = recv(socket_, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) stop();
}

/// Receives the next answer; false if none comes in time, or if the agent has ended (then running()
/// is false).
bool SmpAgent::take(SmpAnswer& answer, int timeout_ms) {
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) return false;
  const ssize_t got = recv(socket_, &answer, sizeof answer, 0);
  if (got == sizeof answer) return true;
  if (got < 0 && errno == EINTR) return false;
  close(socket_);
  socket_ = -1;
  return false;
}

/// Sends a request to the agent; false if that failed. Afterwards running() says whether the agent
/// has ended.
bool SmpAgent::post(const SmpRequest& request) {
  if (send(socket_, &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof request)
    return true;
  if (errno != EAGAIN && errno != EINTR) {
    close(socket_);
    socket_ = -1;
  }
  return false;
}

std::vector<SmpAnswer> SmpAgent::run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                                     const StopCondition& stop_condition) {
  SmpExchange exchange(requests, limits, next_tag_, std::chrono::milliseconds(kGraceMs));
  bool heard = abort_;
  while (!exchange.done() && running() && !abort_) {
    while (exchange.may_send() && post(exchange.next())) exchange.sent(monotonic());
    if (exchange.outstanding() == 0) {
      exchange.expire();
      continue;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(exchange.deadline() - monotonic());
    SmpAnswer answer;
    if (!take(answer, std::clamp(static_cast<int>(left.count()), 0, kLookMs))) {
      if (monotonic() >= exchange.deadline()) exchange.expire();
      continue;
    }
    heard = true;  // also if the agent reports a time-out, because the agent itself responds
    const std::size_t index = exchange.take(answer);
    if (index != SIZE_MAX && stop_condition && stop_condition(index, answer)) break;
  }
  next_tag_ = exchange.next_tag();
  if (!requests.empty() && !heard && !abort_)
    stop();  // the agent does not respond; FastPath starts a new one later
  return std::move(exchange.answers());
}

}  // namespace selvedge
