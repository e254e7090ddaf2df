// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Chooses `count` of a pair's candidate paths that share no switch between the ends and no cable,
// with the least total length (Montañana 2008 §4.2.1 stage 5, §4.2.2). So each chosen path has
// another first arc. The method is branch and bound over the first arcs; arcs with few paths come
// first so that dead ends show early. At each level a bit set holds the paths that are disjoint
// from all those taken.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/disjoint/path_candidates.hpp"

namespace selvedge {

inline constexpr unsigned kMaxDisjoint = 16;

class DisjointSearch {
 public:
  /// `candidates` must outlive this object.
  explicit DisjointSearch(const PathCandidates& candidates) : candidates_(candidates) {}

  /// Searches the paths of `set`. `usable(path)`: whether this path may be taken. `found(paths,
  /// length)` is called for each set of disjoint paths found (indices into set.paths, and their
  /// total length). It returns the length from which on further sets are useless; 0 ends the
  /// search. The search stops after `before` steps if nothing was found, or after `after` steps
  /// otherwise. Returns whether anything was found. `same_set`: the set and its usable paths are
  /// those of the last call and only `count` differs, so what was computed is reused.
  template <typename Usable, typename Found>
  bool run(const PathCandidates::Set& set, unsigned count, unsigned before, unsigned after,
           const Usable& usable, const Found& found, bool same_set = false) {
    if (!same_set) begin(set, usable);
    at_ = taken_ = length_ = 0;
    if (groups_.size() < count || count > kMaxDisjoint) return false;
    if (!groups_.empty()) groups_[0].taken = kNoPath;
    unsigned limit = UINT_MAX, steps = 0;
    bool any = false;
    do {
      while (taken_ < count && groups_.size() - at_ >= count - taken_) {
        const bool needed = groups_.size() - at_ == count - taken_;
        if (!take(set, count, limit, steps, any ? after : before)) {
          if (needed) break;
          std::copy_n(&free_[at_ * words_], words_, &free_[(at_ + 1) * words_]);
        }
        if (++at_ < groups_.size()) groups_[at_].taken = kNoPath;
      }
      if (taken_ < count) continue;
      any = true;
      limit = std::min(limit, found(std::span<const std::uint32_t>(path_.data(), count), length_));
      if (limit == 0) break;
    } while (steps < (any ? after : before) && back(set));
    return any;
  }

 private:
  static constexpr std::uint32_t kNoPath = UINT32_MAX;
  /// The paths that begin with one first arc.
  struct Group {
    std::uint32_t begin, end;  // its paths are set.paths[begin] … [end − 1]
    unsigned usable;           // how many of these paths may be taken
    std::uint32_t taken;       // the path that is taken at present
  };

  template <typename Usable>
  void begin(const PathCandidates::Set& set, const Usable& usable) {
    words_ = (set.paths.size() + 63) / 64;
    free_.assign(set.group.size() * words_, 0);
    rows_.resize(set.paths.size() * words_);
    row_known_.assign(set.paths.size(), 0);
    through_.assign(candidates_.distance().size() * words_, 0);
    groups_.clear();
    for (std::size_t g = 0; g + 1 < set.group.size(); ++g) {
      unsigned number = 0;
      for (std::uint32_t p = set.group[g]; p < set.group[g + 1]; ++p) {
        if (!usable(p)) continue;
        const std::uint64_t bit = std::uint64_t{1} << (p % 64);
        free_[p / 64] |= bit;
        const std::span<const Arc> arcs = candidates_.arcs(set.paths[p]);
        for (const Arc arc : arcs.first(arcs.size() - 1))
          through_[candidates_.target(arc) * words_ + p / 64] |= bit;
        ++number;
      }
      if (number > 0) groups_.push_back({set.group[g], set.group[g + 1], number, kNoPath});
    }
    std::ranges::stable_sort(groups_, {}, &Group::usable);
  }

  bool take(const PathCandidates::Set& set, unsigned count, unsigned limit, unsigned& steps,
            unsigned patience);
  bool back(const PathCandidates::Set& set);
  unsigned rest(const PathCandidates::Set& set, std::size_t g, unsigned missing,
                const std::uint64_t* free) const;
  const std::uint64_t* row_of(const PathCandidates::Set& set, std::uint32_t p);

  const PathCandidates& candidates_;
  std::vector<Group> groups_;
  std::size_t words_ = 0;                // length of a bit set over the paths of a source
  std::vector<std::uint64_t> free_;      // per group, a bit set: the paths that may be taken
  std::vector<std::uint64_t> through_;   // per switch: the paths that pass it
  std::vector<std::uint64_t> rows_;      // per path: the paths that are disjoint from it
  std::vector<std::uint8_t> row_known_;  // per path: whether its entry in rows_ is valid
  std::size_t at_ = 0;                   // the group for which a path is to be chosen
  unsigned taken_ = 0, length_ = 0;
  std::array<std::uint32_t, kMaxDisjoint> path_;
};

}  // namespace selvedge
