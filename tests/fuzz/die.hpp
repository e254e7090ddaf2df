// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How a fuzz target says what is wrong, and what each error must be like.
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

/// What a user is told is one line and, where a place is given, names it.
inline void must_be_one_line(std::string_view said, std::string_view where = {}) {
  if (said.find('\n') != std::string_view::npos) die("more than one line");
  if (said.find(where) == std::string_view::npos) die("does not say where");
}
