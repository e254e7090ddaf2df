// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/search.hpp"

namespace selvedge {
namespace {

/// The first path in the bit set `free` from `p` on, below `end`; `end` if there is none.
std::uint32_t first_free(const std::uint64_t* free, std::uint32_t p, std::uint32_t end) {
  while (p < end) {
    const std::uint64_t word = free[p / 64] >> (p % 64);
    if (word != 0) return std::min(p + static_cast<std::uint32_t>(std::countr_zero(word)), end);
    p = (p / 64 + 1) * 64;
  }
  return end;
}

}  // namespace

/// Takes the next path of the current group (paths with one first arc) that can still lead to a
/// useful set. Returns false if there is none.
bool DisjointSearch::take(const PathCandidates::Set& set, unsigned count, unsigned limit,
                          unsigned& steps, unsigned patience) {
  Group& group = groups_[at_];
  const std::uint64_t* free = &free_[at_ * words_];
  std::uint32_t p = group.taken == kNoPath ? group.begin : group.taken + 1;
  group.taken = kNoPath;
  for (; (p = first_free(free, p, group.end)) != group.end; ++p) {
    const unsigned with = length_ + set.paths[p].length;
    const unsigned missing = count - taken_ - 1;
    if (with + missing >= limit || ++steps > patience) return false;
    std::uint64_t* after = &free_[(at_ + 1) * words_];
    const std::uint64_t* row = row_of(set, p);
    for (std::size_t w = 0; w < words_; ++w) after[w] = free[w] & row[w];
    if (with + rest(set, at_ + 1, missing, after) >= limit) continue;
    path_[taken_++] = p;
    length_ = with;
    group.taken = p;
    return true;
  }
  return false;
}

/// Backtracks to the last group (paths with one first arc) from which a path was taken. Returns
/// false if there is none.
bool DisjointSearch::back(const PathCandidates::Set& set) {
  while (at_ > 0) {
    const Group& group = groups_[--at_];
    // No path of this group is taken; all of them were tried before it was left out.
    if (group.taken == kNoPath) continue;
    length_ -= set.paths[path_[--taken_]].length;
    return true;
  }
  return false;
}

/// A lower bound on the total length of `missing` further paths, from group g on. UINT_MAX / 2 if
/// there are not so many.
unsigned DisjointSearch::rest(const PathCandidates::Set& set, std::size_t g, unsigned missing,
                              const std::uint64_t* free) const {
  constexpr unsigned kTooMany = UINT_MAX / 2;
  if (missing == 0) return 0;
  const bool every = groups_.size() - g == missing;
  unsigned sum = 0, least = kTooMany, left = 0;
  for (; g < groups_.size(); ++g) {
    const std::uint32_t p = first_free(free, groups_[g].begin, groups_[g].end);
    if (p == groups_[g].end) {
      if (every) return kTooMany;
      continue;
    }
    ++left;
    sum += set.paths[p].length;
    least = std::min<unsigned>(least, set.paths[p].length);
  }
  if (left < missing) return kTooMany;
  return every ? sum : missing * least;
}

/// The bit set of usable paths that are disjoint from path p. (Paths with the same first arc as p
/// may be in it: at most one path is taken for a first arc anyway.)
const std::uint64_t* DisjointSearch::row_of(const PathCandidates::Set& set, std::uint32_t p) {
  std::uint64_t* row = &rows_[p * words_];
  if (row_known_[p]) return row;
  row_known_[p] = 1;
  std::fill_n(row, words_, ~std::uint64_t{0});
  const std::span<const Arc> arcs = candidates_.arcs(set.paths[p]);
  for (const Arc arc : arcs.first(arcs.size() - 1)) {
    const std::uint64_t* through = &through_[candidates_.target(arc) * words_];
    for (std::size_t w = 0; w < words_; ++w) row[w] &= ~through[w];
  }
  return row;
}

}  // namespace selvedge
