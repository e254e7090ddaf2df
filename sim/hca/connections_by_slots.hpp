// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How the rearrange memory in use is distributed over connections: for each number of slots, how
// many connections have that many in use now. A connection is counted at each receiving end. Counts
// change as packets arrive, so a look at the distribution never visits the connections.
#pragma once

#include <cstdint>
#include <vector>

namespace selvedge::sim {

class ConnectionsBySlots {
 public:
  /// A connection that has nothing in use.
  void add() {
    if (counts_.empty()) counts_.resize(1);
    ++counts_[0];
  }
  /// A connection that had `before` slots in use has `after` now.
  void move(std::uint32_t before, std::uint32_t after) {
    if (after >= counts_.size()) counts_.resize(after + 1);
    --counts_[before];
    ++counts_[after];
  }
  /// Index: slots in use.
  const std::vector<std::uint32_t>& counts() const { return counts_; }

 private:
  std::vector<std::uint32_t> counts_;
};

}  // namespace selvedge::sim
