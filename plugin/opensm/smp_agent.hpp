// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The plugin's side of selvedge-smp-agent, the process that sends SMPs (agent_socket.hpp says why
// it exists). SmpAgent starts the process and runs SMP exchanges (plugin/control/smp_exchange.hpp)
// through it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/ids.hpp"

namespace selvedge {

class SmpAgent : public SmpTransport {
 public:
  SmpAgent() = default;
  SmpAgent(const SmpAgent&) = delete;
  SmpAgent& operator=(const SmpAgent&) = delete;
  ~SmpAgent() override { stop(); }

  /// Starts the program, which sends SMPs from `port`. Returns why that failed, or nullopt. The
  /// program inherits OpenSM's standard error.
  std::optional<std::string> start(const std::string& program, Guid port);
  void stop();
  /// Whether the agent runs, as far as the last use or look() has shown.
  bool running() const override { return socket_ >= 0; }
  /// Checks without blocking whether the agent's process has ended.
  void look();
  /// While `on`, the present run() and later ones end at once with the answers that have arrived.
  /// May be called by any thread.
  void set_abort(bool on) { abort_ = on; }
  pid_t pid() const { return pid_; }

  /// If the agent's process ends meanwhile, missing answers have the status kSmpNoAnswer.
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition = {}) override;

 private:
  bool post(const SmpRequest& request);
  bool take(SmpAnswer& answer, int timeout_ms);

  pid_t pid_ = -1;
  int socket_ = -1;
  std::uint32_t next_tag_ = 1;
  std::atomic<bool> abort_ = false;
};

}  // namespace selvedge
