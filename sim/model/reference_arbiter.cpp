// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/reference_arbiter.hpp"

#include <algorithm>

namespace selvedge::sim {

bool ReferenceArbiter::Table::lists_sendable(const std::vector<unsigned>& blocks) const {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const ArbitrationEntry& entry) { return may_send(entry, blocks); });
}

Vl ReferenceArbiter::Table::serve(const std::vector<unsigned>& blocks) {
  if (left <= 0 || !may_send(entries[current], blocks)) {
    do current = (current + 1) % entries.size();
    while (!may_send(entries[current], blocks));
    left = entries[current].weight;
  }
  const Vl vl = entries[current].vl;
  left -= static_cast<int>(blocks[vl]);
  return vl;
}

std::optional<Vl> ReferenceArbiter::choose(const std::vector<unsigned>& blocks) {
  constexpr unsigned kNoLimit = 255;
  constexpr std::uint64_t kLimitBytes = 4096;
  const bool high = high_.lists_sendable(blocks), low = low_.lists_sendable(blocks);
  const bool limit_passed = limit_ != kNoLimit && high_bytes_ > limit_ * kLimitBytes;
  if (high && !(limit_passed && low)) {
    const Vl vl = high_.serve(blocks);
    high_bytes_ += std::uint64_t{blocks[vl]} * kBlockBytes;
    return vl;
  }
  if (!low) return {};
  high_bytes_ = 0;
  return low_.serve(blocks);
}

}  // namespace selvedge::sim
