// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The verb `many`: many connections that all send as fast as they can, and how evenly they share.
#pragma once

#include <string>

namespace selvedge::perf {

struct ManyOptions {
  std::string socket, to;
  unsigned connections = 1'000;
  std::uint64_t size = 4'096;
  double seconds = 10, warm_up_seconds = 3;
  unsigned batch = 1;    ///< messages of a connection in its turn; not with `threads`
  bool threads = false;  ///< a thread for each connection, which waits in its calls
  bool verify = false, json = false;
};

/// Prints the result, and returns the exit status.
int many(const ManyOptions& options);

/// Raises the limit on open descriptors as far as the system permits: each connection has some.
void permit_many_descriptors();

}  // namespace selvedge::perf
