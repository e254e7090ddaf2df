// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/independent.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace selvedge {
namespace {

PathSet bit(unsigned i) { return PathSet{1} << i; }

unsigned lowest(PathSet set) {
  const auto low = static_cast<std::uint64_t>(set);
  return static_cast<unsigned>(low != 0
                                   ? std::countr_zero(low)
                                   : 64 + std::countr_zero(static_cast<std::uint64_t>(set >> 64)));
}

/// Branch and bound. Paths are decided in ascending order, "taken" before "left out", so that sets
/// are met in lexicographic order and the first of several equals stays. The recursion is at most
/// kMaxPaths deep.
class Search {
 public:
  Search(std::span<const std::uint32_t> lengths, std::span<const PathSet> conflicts)
      : lengths_(lengths), conflicts_(conflicts) {}

  PathSet run(PathSet component) {
    // What a greedy choice reaches must be reached again: one more than its length is the first
    // mark.
    greedy(component);
    extend(component, 0, 0, 0);
    return best_;
  }

 private:
  void greedy(PathSet open) {
    best_count_ = 0;
    best_length_ = 1;
    while (open != 0) {
      unsigned shortest = lowest(open);
      for (PathSet rest = open & (open - 1); rest != 0; rest &= rest - 1)
        if (const unsigned i = lowest(rest); lengths_[i] < lengths_[shortest]) shortest = i;
      ++best_count_;
      best_length_ += lengths_[shortest];
      open &= ~(conflicts_[shortest] | bit(shortest));
    }
  }

  /// Can `open` still lead to something better than the best? At most one path of a clique is
  /// taken.
  bool promising(PathSet open, unsigned count, std::uint64_t length) const {
    std::array<std::uint32_t, kMaxPaths> shortest;
    unsigned cliques = 0;
    while (open != 0) {
      const unsigned first = lowest(open);
      std::uint32_t least = lengths_[first];
      open &= open - 1;
      for (PathSet with = open & conflicts_[first]; with != 0;) {
        const unsigned i = lowest(with);
        least = std::min(least, lengths_[i]);
        open &= ~bit(i);
        with &= conflicts_[i];
      }
      shortest[cliques++] = least;
    }
    if (count + cliques != best_count_) return count + cliques > best_count_;
    // As many at best, all of the cliques being used: then it must be shorter.
    for (unsigned i = 0; i < cliques; ++i) length += shortest[i];
    return length < best_length_;
  }

  void extend(PathSet open, PathSet taken, unsigned count, std::uint64_t length) {
    for (;;) {
      if (open == 0) {
        if (count > best_count_ || (count == best_count_ && length < best_length_)) {
          best_ = taken;
          best_count_ = count;
          best_length_ = length;
        }
        return;
      }
      if (!promising(open, count, length)) return;
      const unsigned i = lowest(open);
      open &= open - 1;
      const PathSet rivals = open & conflicts_[i];
      if (rivals != 0) {
        extend(open & ~rivals, taken | bit(i), count + 1, length + lengths_[i]);
        // Left out: only worth it for the sake of a rival, which `promising` judges next.
      } else {
        taken |= bit(i);
        ++count;
        length += lengths_[i];
      }
    }
  }

  std::span<const std::uint32_t> lengths_;
  std::span<const PathSet> conflicts_;
  PathSet best_ = 0;
  unsigned best_count_ = 0;
  std::uint64_t best_length_ = 0;
};

}  // namespace

PathSet largest_independent(std::span<const std::uint32_t> lengths,
                            std::span<const PathSet> conflicts) {
  assert(lengths.size() <= kMaxPaths && conflicts.size() == lengths.size());
  const auto count = static_cast<unsigned>(lengths.size());
  PathSet open = count == kMaxPaths ? ~PathSet{0} : bit(count) - 1;
  PathSet chosen = 0;
  // Parts without conflicts between them are chosen from one by one: number, length and
  // lexicographic order all add up over them.
  while (open != 0) {
    PathSet component = bit(lowest(open));
    for (PathSet fresh = component; fresh != 0;) {
      const PathSet reached = conflicts[lowest(fresh)] & ~component;
      component |= reached;
      fresh = (fresh & (fresh - 1)) | reached;
    }
    open &= ~component;
    if ((component & (component - 1)) == 0)
      chosen |= component;
    else
      chosen |= Search(lengths, conflicts).run(component);
  }
  return chosen;
}

}  // namespace selvedge
