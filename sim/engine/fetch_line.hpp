// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Asks for a cache line before it is needed.
#pragma once

namespace selvedge::sim {

/// GCC takes a function that does nothing but this for one without effect, and leaves out calls of
/// it where it doesn't inline them; hence the statement after it, which is nothing to the
/// processor.
inline void fetch_line(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

}  // namespace selvedge::sim
