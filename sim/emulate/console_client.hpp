// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The client's end of an emulator's console (console.hpp).
#pragma once

#include <string>
#include <string_view>

#include "sim/emulate/socket.hpp"

namespace selvedge::sim {

class ConsoleClient {
 public:
  /// Throws EnvironmentError if nothing is served under this name.
  explicit ConsoleClient(const std::string& name);

  /// Sends a command, waits as long as it takes, and returns what the command printed. Throws
  /// InputError if the emulator refuses the command, EnvironmentError if the emulator has ended.
  std::string ask(std::string_view command);

 private:
  const std::string name_;
  Descriptor socket_;
  std::string input_;  // bytes received beyond the last complete reply
};

}  // namespace selvedge::sim
