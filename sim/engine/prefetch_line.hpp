// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Prefetches a cache line.
#pragma once

namespace selvedge::sim {

/// GCC regards a function that only prefetches as one without effect, and drops the calls that it
/// does not inline. The empty asm statement prevents that and costs no instruction.
inline void prefetch_line(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

}  // namespace selvedge::sim
