// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Loaded before ibdmchk (ibutils 1.5.7), which counts the ports of a switch that lead to a host
// equally well in a table of 50 and writes past its end where a switch has more. Each allocation
// gets room for 64 counters more, so that the program comes to its verdict.
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size) noexcept;  // NOLINT: glibc's name for its own

[[gnu::visibility("default")]] void* malloc(std::size_t size) noexcept {
  return __libc_malloc(size + 64 * sizeof(int));
}
}
