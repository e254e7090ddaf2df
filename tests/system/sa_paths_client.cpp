// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Runs the daemon's class SaPaths on a simulated host, for test_sa_paths.py. Reads commands, one a
// line, and answers each with one line:
//
//   find DLID    -> "path SLID DLID SL MTU_BYTES RATE", "none" or "silent"
//   forget       -> "ok LID"
//   counters     -> "QUERIES CACHE_HITS"
#include <cstdio>
#include <cstring>
#include <exception>

#include "daemon/transport/sa_paths.hpp"

int main() {
  using selvedge::transport::PathRecord;
  using selvedge::transport::SaPaths;
  try {
    SaPaths sa("", 0);
    char verb[16];
    while (std::scanf("%15s", verb) == 1) {
      unsigned dlid = 0;
      if (std::strcmp(verb, "find") == 0 && std::scanf("%u", &dlid) == 1) {
        PathRecord r;
        switch (sa.find(static_cast<std::uint16_t>(dlid), r)) {
          case SaPaths::Answer::kPath:
            std::printf("path %u %u %u %u %u\n", r.slid, r.dlid, r.sl, r.mtu_bytes, r.rate);
            break;
          case SaPaths::Answer::kNoPath:
            std::puts("none");
            break;
          case SaPaths::Answer::kNoAnswer:
            std::puts("silent");
            break;
        }
      } else if (std::strcmp(verb, "forget") == 0) {
        sa.refresh();
        std::printf("ok %u\n", sa.lid());
      } else if (std::strcmp(verb, "counters") == 0) {
        std::printf("%llu %llu\n", static_cast<unsigned long long>(sa.counters().queries),
                    static_cast<unsigned long long>(sa.counters().cache_hits));
      } else {
        std::puts("see the head of sa_paths_client.cpp");
      }
      std::fflush(stdout);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 3;
  }
}
