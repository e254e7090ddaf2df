// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A malloc that is loaded before ibdmchk (ibutils 1.5.7). ibdmchk has a table of 50 counters for
// the ports of a switch that lead to a host equally well, and writes past its end where a switch
// has more ports. Each allocation gets room for 64 more counters, so that the program does not
// crash.
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size) noexcept;  // NOLINT: glibc's name for its own

[[gnu::visibility("default")]] void* malloc(std::size_t size) noexcept {
  return __libc_malloc(size + 64 * sizeof(int));
}
}
