// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How a fuzz target reports a fault, and a check of the error messages that users get.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

[[noreturn]] inline void die(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

[[noreturn]] inline void die(const char* why, const std::string& detail) {
  std::fprintf(stderr, "%s:\n%s\n", why, detail.c_str());
  std::abort();
}

/// Dies unless an error message is one line and contains `where`, the place of the error.
inline void must_be_one_line(std::string_view said, std::string_view where = {}) {
  if (said.find('\n') != std::string_view::npos) die("more than one line");
  if (said.find(where) == std::string_view::npos) die("does not say where");
}
