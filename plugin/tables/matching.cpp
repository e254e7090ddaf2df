// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/matching.hpp"

namespace selvedge {
namespace {
constexpr std::int64_t kFar = INT64_MAX / 2;
}

PathSet Matching::solve(std::span<const PathTraits> paths, PathSet open) {
  num_edges_ = 0;
  for (; open != 0; open &= open - 1) {
    const unsigned e = lowest(open);
    edges_[num_edges_++] = static_cast<std::uint8_t>(e);
    of_first_[paths[e].first] = of_last_[paths[e].last] = kNone;
  }
  while (augment(paths)) {
  }
  PathSet matched = 0;
  count_ = 0;
  length_ = 0;
  for (unsigned k = 0; k < num_edges_; ++k) {
    const unsigned e = edges_[k];
    if (of_first_[paths[e].first] != e) continue;
    matched |= PathSet{1} << e;
    ++count_;
    length_ += paths[e].length;
  }
  return matched;
}

/// Finds a shortest augmenting path (Bellman-Ford), from the unmatched first numbers to the
/// cheapest unmatched last number, and applies it. Paths that are not in the matching are edges
/// from `first` to `last` that cost their length; those in it are edges back that regain it.
/// Returns false if there is none.
bool Matching::augment(std::span<const PathTraits> paths) {
  for (unsigned k = 0; k < num_edges_; ++k) {
    const PathTraits& p = paths[edges_[k]];
    first_cost_[p.first] = of_first_[p.first] == kNone ? 0 : kFar;
    last_cost_[p.last] = kFar;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned k = 0; k < num_edges_; ++k) {
      const std::uint8_t e = edges_[k];
      const PathTraits& p = paths[e];
      const std::int64_t cost = first_cost_[p.first] + p.length;
      if (first_cost_[p.first] == kFar || of_first_[p.first] == e || cost >= last_cost_[p.last])
        continue;
      last_cost_[p.last] = cost;
      into_last_[p.last] = e;
      changed = true;
      if (const std::uint8_t m = of_last_[p.last]; m != kNone)
        first_cost_[paths[m].first] = cost - paths[m].length;
    }
  }
  std::uint8_t end = kNone;  // the path that leads to the cheapest unmatched last number
  for (unsigned k = 0; k < num_edges_; ++k) {
    const std::uint8_t e = edges_[k];
    const std::uint8_t last = paths[e].last;
    if (of_last_[last] != kNone || last_cost_[last] == kFar || into_last_[last] != e) continue;
    if (end == kNone || last_cost_[last] < last_cost_[paths[end].last]) end = e;
  }
  if (end == kNone) return false;
  for (std::uint8_t e = end;;) {
    const PathTraits& p = paths[e];
    const std::uint8_t before = of_first_[p.first];
    of_first_[p.first] = e;
    of_last_[p.last] = e;
    if (before == kNone) return true;
    e = into_last_[paths[before].last];
  }
}

}  // namespace selvedge
