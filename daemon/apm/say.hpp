// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace selvedge::apm {

/// Writes the line into `why`, cut to `size` bytes, and returns -error.
[[gnu::format(printf, 4, 5)]] inline int fail(int error, char* why, std::size_t size,
                                              const char* format, ...) {
  if (why != nullptr && size != 0) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(why, size, format, arguments);
    va_end(arguments);
  }
  return -error;
}

}  // namespace selvedge::apm
