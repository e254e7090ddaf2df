// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// base: what every program of the project shares and nothing else: errors that a user can act on.
//
// An error has three parts, printed on one line as `error: WHAT: WHERE: WHAT TO DO`. Mistakes in
// the input throw InputError (exit status 2); something missing on the machine throws
// EnvironmentError (exit status 3). A failed proof is a result, not an error, and never throws.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace selvedge {

class Error : public std::runtime_error {
 public:
  Error(std::string what, std::string where, std::string remedy)
      : std::runtime_error(one_line(what + ": " + where + ": " + remedy)),
        what_(std::move(what)),
        where_(std::move(where)),
        remedy_(std::move(remedy)) {}

  const std::string& problem() const { return what_; }
  const std::string& where() const { return where_; }
  const std::string& remedy() const { return remedy_; }

 private:
  /// Names out of files may hold anything; an error is one line whatever they hold.
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
    return text;
  }

  std::string what_, where_, remedy_;
};

/// The user gave us something wrong: a file, an option, a value.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The machine lacks something: a program, an HCA, a running plugin.
class EnvironmentError : public Error {
 public:
  using Error::Error;
};

}  // namespace selvedge
