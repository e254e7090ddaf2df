// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Prefetches cache lines.
#pragma once

#include <cstddef>

namespace selvedge {

/// GCC regards a function that only prefetches as one without effect, and drops the calls that it
/// does not inline. The empty asm statement prevents that and costs no instruction.
inline void prefetch_line(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

/// All lines of `bytes` bytes of memory.
inline void prefetch_bytes(const void* at, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(at);
  for (std::size_t i = 0; i < bytes; i += 64) prefetch_line(first + i);
  prefetch_line(first + bytes - 1);
}

}  // namespace selvedge
