// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// CnpCounters says whether a RoCE port has received packets with a mark of congestion (ECN),
// whoever sent them, to whichever program. Devices count the marked packets of a port, and the
// congestion notification packets (CNP) that they answered (the names are those of the drivers mlx5
// and bnxt_re). Soft-RoCE has no such counter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace selvedge::transport {

class CnpCounters {
 public:
  /// directory: of the port's counters, as /sys/class/infiniband/mlx5_0/ports/1/hw_counters. What
  /// is not there or cannot be read is not counted.
  explicit CnpCounters(const std::string& directory);

  bool empty() const { return counters_.empty(); }
  /// Whether a counter has risen since the last call, or since the start.
  bool risen();

 private:
  struct Counter {
    std::string file;
    std::uint64_t value;
  };
  std::vector<Counter> counters_;
};

}  // namespace selvedge::transport
