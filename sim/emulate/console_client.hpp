// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The other end of an emulator's console.
#pragma once

#include <string>
#include <string_view>

#include "sim/emulate/socket.hpp"

namespace selvedge::sim {

class ConsoleClient {
 public:
  /// Throws EnvironmentError if nothing is served under this name.
  explicit ConsoleClient(const std::string& name);

  /// Sends a command, and waits for its reply as long as it takes: what it prints. Throws
  /// InputError if it is refused, EnvironmentError if the emulator has ended.
  std::string ask(std::string_view command);

 private:
  const std::string name_;
  Descriptor socket_;
  std::string input_;  // received, and no part of a reply yet
};

}  // namespace selvedge::sim
