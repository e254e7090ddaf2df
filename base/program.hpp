// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What main() of every program needs: exit statuses, errors on one line, and results that are
// written to standard output completely or not at all.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/nearest.hpp"
#include "base/printable.hpp"

namespace selvedge {

/// The exit statuses of every program.
enum ExitStatus : int {
  kDone = 0,              // success; every property to be checked holds
  kDoesNotHold = 1,       // some property does not hold; the witness was printed
  kBadInput = 2,          // an InputError was thrown; nothing was written
  kLacksEnvironment = 3,  // an EnvironmentError or any other exception was thrown
};

/// Text for standard output. It is written only after everything has succeeded.
class Output {
 public:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void write(std::string_view text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Runs the program and returns its exit status. Errors go to standard error as `error: …`, on one
/// line. A closed pipe on standard output (EPIPE) is no error.
int run_program(const std::function<int(Output&)>& body);

/// Write `warning: …` or `note: …` to standard error.
void warn(std::string_view text);
void note(std::string_view text);

}  // namespace selvedge
