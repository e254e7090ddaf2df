// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The plugin's end of selvedge-smp-agent (smp.hpp says why there is one): starts it, sends batches
// of requests with a bounded number under way, and asks again for what stays unanswered.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/ids.hpp"
#include "plugin/opensm/smp.hpp"

namespace selvedge {

struct SmpLimits {
  unsigned under_way = 16;
  unsigned timeout_ms = 100;  // of one try
  unsigned tries = 3;
};

class SmpAgent {
 public:
  SmpAgent() = default;
  SmpAgent(const SmpAgent&) = delete;
  SmpAgent& operator=(const SmpAgent&) = delete;
  ~SmpAgent() { stop(); }

  /// Starts the program with the port to send from; returns why it can't, or nothing. What it
  /// writes to standard error goes where ours goes.
  std::optional<std::string> start(const std::string& program, Guid port);
  void stop();
  bool running() const { return socket_ >= 0; }
  /// From any thread: a run() that is under way, and those to come, end at once with what they
  /// have, until this is taken back.
  void hurry(bool on) { hurry_ = on; }
  pid_t pid() const { return pid_; }

  /// An answer for each request, in the order of the requests; status kSmpNoAnswer where none came
  /// in any of the tries, or all others if the agent is gone. `enough` is asked after each answer
  /// (index, answer) and ends the wait early by returning true: what is still under way then has
  /// kSmpNoAnswer.
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const std::function<bool(std::size_t, const SmpAnswer&)>& enough = {});

 private:
  bool take(SmpAnswer& answer, int timeout_ms);

  pid_t pid_ = -1;
  int socket_ = -1;
  std::uint32_t next_tag_ = 1;
  std::atomic<bool> hurry_ = false;
};

}  // namespace selvedge
