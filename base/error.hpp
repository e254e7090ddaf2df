// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// base: what all programs of the project have in common, independent of networks: errors that a
// user can act on (this header); exit statuses and output (program.hpp); files that are written
// completely or not at all (atomic_file.hpp); TOML, read key by key (toml_section.hpp); the
// progress line (progress.hpp); text that is safe to print (printable.hpp); corrections of mistyped
// words (nearest.hpp); command lines with subcommands (command_line.hpp).
//
// An error has three parts, printed on one line as `error: WHAT: WHERE: WHAT TO DO`. For mistakes
// in the input, InputError is thrown (exit status 2). If the machine lacks something,
// EnvironmentError is thrown (exit status 3). A failed proof is a result, not an error, and is
// never thrown.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/printable.hpp"

namespace selvedge {

class Error : public std::runtime_error {
 public:
  /// what() is one line, since control characters in names become '?'.
  Error(std::string what, std::string where, std::string remedy)
      : std::runtime_error(printable(what + ": " + where + ": " + remedy)),
        what_(std::move(what)),
        where_(std::move(where)),
        remedy_(std::move(remedy)) {}

  const std::string& problem() const { return what_; }
  const std::string& where() const { return where_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string what_, where_, remedy_;
};

/// Means that the user's input is wrong: a file, an option, a value.
class InputError : public Error {
 public:
  using Error::Error;
};

/// Means that the machine lacks something: a program, an HCA, a running plugin.
class EnvironmentError : public Error {
 public:
  using Error::Error;
};

/// Throws an EnvironmentError with the reason that a failed system call has left in errno.
[[noreturn]] inline void refused_by_system(const std::string& what, const std::string& where,
                                           const std::string& remedy) {
  throw EnvironmentError(what + ": " + std::strerror(errno), where, remedy);
}

}  // namespace selvedge
