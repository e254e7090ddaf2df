// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/independent.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "plugin/tables/matching.hpp"

namespace selvedge {
namespace {

PathSet bit(unsigned i) { return PathSet{1} << i; }

/// The worth of a set of paths: more paths are better; of equally many, a smaller total length.
struct Score {
  unsigned count = 0;
  std::uint64_t length = 0;

  bool beats(const Score& other) const {
    return count != other.count ? count > other.count : length < other.length;
  }
  Score operator+(const Score& more) const { return {count + more.count, length + more.length}; }
  friend bool operator==(const Score&, const Score&) = default;
};

/// Branch and bound in two rounds. The first round finds the best worth; the second finds the
/// lexicographically first set of that worth.
class Search {
 public:
  explicit Search(std::span<const PathTraits> paths) : paths_(paths) {}

  PathSet run(PathSet open) {
    improve(open);
    lexicographic(open);
    return best_;
  }

 private:
  /// A node of the search: the paths taken so far, and the paths that may still be added.
  struct Open {
    PathSet open, taken;
    Score so_far;
  };

  Score worth(unsigned i) const { return {1, paths_[i].length}; }

  /// An upper bound on the worth of a set of open paths: these are covered by cliques of
  /// conflicting paths, and a set has at most one path of each clique.
  Score clique_bound(PathSet open, unsigned wanted) const {
    std::array<std::uint32_t, kMaxPaths> shortest;
    Score bound;
    while (open != 0) {
      const unsigned first = lowest(open);
      std::uint32_t least = paths_[first].length;
      open &= open - 1;
      for (PathSet with = open & paths_[first].conflicts; with != 0;) {
        const unsigned i = lowest(with);
        least = std::min(least, paths_[i].length);
        open &= ~bit(i);
        with &= paths_[i].conflicts;
      }
      shortest[bound.count++] = least;
    }
    // Lengths limit the worth only if a set of `wanted` paths needs a path of every clique.
    if (bound.count == wanted)
      for (unsigned i = 0; i < bound.count; ++i) bound.length += shortest[i];
    return bound;
  }

  /// First round: finds a set of the highest worth.
  void improve(PathSet all) {
    unsigned waiting = 0;
    stack_[waiting++] = {all, 0, {}};
    for (; waiting > 0 && steps_ < kMaxSearchSteps; ++steps_) {
      const auto [open, taken, so_far] = stack_[--waiting];
      const unsigned wanted =
          best_worth_.count > so_far.count ? best_worth_.count - so_far.count : 0;
      if (!(so_far + clique_bound(open, wanted)).beats(best_worth_)) continue;
      const PathSet match = matching_.solve(paths_, open);
      const Score bound = so_far + Score{matching_.count(), matching_.length()};
      if (!bound.beats(best_worth_)) continue;
      const unsigned split = most_contested(match);
      if (split == kMaxPaths) {
        best_ = taken | match;
        best_worth_ = bound;
        continue;
      }
      // The branch with the path is searched first, the branch without it later.
      stack_[waiting++] = {open & ~bit(split), taken, so_far};
      stack_[waiting++] = {open & ~(paths_[split].conflicts | bit(split)), taken | bit(split),
                           so_far + worth(split)};
    }
  }

  /// The path in a set that conflicts with most others in the set; kMaxPaths if none conflicts.
  unsigned most_contested(PathSet set) const {
    unsigned most = kMaxPaths, rivals_of_most = 0;
    for (PathSet rest = set; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest(rest);
      const PathSet rivals = paths_[i].conflicts & set;
      const auto count =
          static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(rivals)) +
                                std::popcount(static_cast<std::uint64_t>(rivals >> 64)));
      if (count > rivals_of_most) {
        most = i;
        rivals_of_most = count;
      }
    }
    return most;
  }

  /// Second round: paths are decided in ascending order, "taken" before "left out". So sets are
  /// visited in lexicographic order, and the first one of the best worth is the result.
  void lexicographic(PathSet all) {
    unsigned waiting = 0;
    stack_[waiting++] = {all, 0, {}};
    while (waiting > 0 && steps_ < kMaxSearchSteps) {
      auto [open, taken, so_far] = stack_[--waiting];
      while (open != 0 && (open & paths_[lowest(open)].conflicts) == 0) {
        const unsigned i = lowest(open);
        open &= ~bit(i);
        taken |= bit(i);
        so_far = so_far + worth(i);
      }
      if (open == 0) {
        if (so_far != best_worth_) continue;
        best_ = taken;
        return;
      }
      ++steps_;
      const unsigned i = lowest(open);
      open &= ~bit(i);
      stack_[waiting++] = {open, taken, so_far};
      const Score with = so_far + worth(i);
      const PathSet left = open & ~paths_[i].conflicts;
      if (attainable(left, with)) stack_[waiting++] = {left, taken | bit(i), with};
    }
  }

  bool attainable(PathSet open, Score so_far) {
    const unsigned wanted = best_worth_.count > so_far.count ? best_worth_.count - so_far.count : 0;
    if (best_worth_.beats(so_far + clique_bound(open, wanted))) return false;
    matching_.solve(paths_, open);
    return !best_worth_.beats(so_far + Score{matching_.count(), matching_.length()});
  }

  std::span<const PathTraits> paths_;
  /// The search is depth first: at most one alternative waits for each path that the current branch
  /// has decided.
  std::array<Open, kMaxPaths + 1> stack_;
  Matching matching_;
  PathSet best_ = 0;
  Score best_worth_;
  unsigned steps_ = 0;
};

}  // namespace

PathSet largest_independent(std::span<const PathTraits> paths) {
  assert(paths.size() <= kMaxPaths);
  const auto count = static_cast<unsigned>(paths.size());
  PathSet open = count == kMaxPaths ? ~PathSet{0} : bit(count) - 1;
  PathSet chosen = 0;
  // The connected components of the conflict graph are solved one by one, because number, length
  // and lexicographic order of the components' sets are independent of each other.
  while (open != 0) {
    PathSet component = bit(lowest(open));
    for (PathSet fresh = component; fresh != 0;) {
      const PathSet reached = paths[lowest(fresh)].conflicts & ~component;
      component |= reached;
      fresh = (fresh & (fresh - 1)) | reached;
    }
    open &= ~component;
    if ((component & (component - 1)) == 0)
      chosen |= component;
    else
      chosen |= Search(paths).run(component);
  }
  return chosen;
}

}  // namespace selvedge
