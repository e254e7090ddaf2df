// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/largest_set.hpp"

#include <algorithm>

namespace selvedge::prover {

unsigned LargestSet::size(const Paths& paths, unsigned enough) {
  // The caller wants a minimum over pairs. For most pairs a greedy set already has `enough` paths.
  const unsigned greedy_size = greedy(paths);
  if (greedy_size >= enough) return greedy_size;
  unsigned total = 0;
  for (Paths rest = without_dominated(paths); rest.any() && total < enough;) {
    const Paths part = component(rest);
    rest &= ~part;
    total += search(part, greedy(part), enough - total);
  }
  return total;
}

/// The size of a set found by repeatedly taking the path with the fewest conflicts.
unsigned LargestSet::greedy(Paths open) const {
  unsigned taken = 0;
  for (; open.any(); ++taken) {
    std::size_t pick = 0, fewest = kPathsMax;
    for (std::size_t i = open._Find_first(); i < kPathsMax && fewest > 1; i = next(open, i)) {
      const std::size_t rivals = (conflicts[i] & open).count();
      if (rivals < fewest) {
        pick = i;
        fewest = rivals;
      }
    }
    open.reset(pick);
    open &= ~conflicts[pick];
  }
  return taken;
}

/// Returns a connected component of the conflict graph. The largest sets of the components add up
/// to a largest set of the whole.
LargestSet::Paths LargestSet::component(const Paths& open) const {
  Paths part, fresh;
  fresh.set(open._Find_first());
  while (fresh.any()) {
    const std::size_t i = fresh._Find_first();
    fresh.reset(i);
    part.set(i);
    fresh |= conflicts[i] & open & ~part;
  }
  return part;
}

/// Removes dominated paths. Path i is dominated if it conflicts with some path j and with every
/// path that j conflicts with. Then j can replace i in any set. Of identical paths one remains.
LargestSet::Paths LargestSet::without_dominated(Paths open) const {
  for (std::size_t i = open._Find_first(); i < kPathsMax; i = next(open, i)) {
    const Paths rivals = conflicts[i] & open;
    for (std::size_t j = rivals._Find_first(); j < kPathsMax; j = next(rivals, j)) {
      Paths beyond = conflicts[j] & open & ~rivals;
      beyond.reset(i);
      if (beyond.any()) continue;
      open.reset(i);
      break;
    }
  }
  return open;
}

/// Returns the size of a largest set if that is more than `best`, else `best`. The search stops at
/// `enough`.
unsigned LargestSet::search(const Paths& open, unsigned best, unsigned enough) {
  unsigned waiting = 0;
  stack_[waiting++] = {open, 0};
  while (waiting > 0 && best < enough) {
    const Open at = stack_[--waiting];
    ++steps_;
    if (at.chosen + at.paths.count() <= best) continue;
    if (at.chosen + cliques(at.paths, best + 1 - std::min(best, at.chosen)) <= best) continue;
    const Paths matched = matching(at.paths);
    const auto bound = static_cast<unsigned>(at.chosen + matched.count());
    if (bound <= best) continue;
    const std::size_t split = most_contested(matched, at.paths);
    if (split == kPathsMax) {  // the matched paths do not conflict: a set of size `bound`
      best = bound;
      continue;
    }
    // The branch with the path is searched next, the branch without it afterwards.
    Paths left = at.paths;
    left.reset(split);
    stack_[waiting++] = {left, at.chosen};
    stack_[waiting++] = {left & ~conflicts[split], at.chosen + 1};
  }
  return best;
}

/// The number of cliques in a greedy cover of the open paths. Counting stops at `stop`.
unsigned LargestSet::cliques(Paths open, unsigned stop) const {
  unsigned count = 0;
  for (; open.any() && count < stop; ++count) {
    std::size_t i = open._Find_first();
    open.reset(i);
    for (Paths all = conflicts[i] & open; all.any(); all &= conflicts[i]) {
      i = all._Find_first();
      open.reset(i);
    }
  }
  return count;
}

/// Returns a maximum matching: a largest set of open paths in which no two share a first or a last
/// number.
LargestSet::Paths LargestSet::matching(const Paths& open) {
  of_first_.fill(kNone);
  of_last_.fill(kNone);
  Paths firsts;
  for (std::size_t i = open._Find_first(); i < kPathsMax; i = next(open, i)) {
    if (!firsts[first[i]]) {
      firsts.set(first[i]);
      by_first_[first[i]].reset();
    }
    by_first_[first[i]].set(i);
  }
  // The initial matching: greedily takes paths that conflict with none taken before.
  Paths free = open;
  for (std::size_t i = free._Find_first(); i < kPathsMax; i = next(free, i)) {
    of_first_[first[i]] = of_last_[last[i]] = static_cast<std::uint8_t>(i);
    free &= ~conflicts[i];
  }
  Paths matched;
  for (std::size_t f = firsts._Find_first(); f < kPathsMax; f = next(firsts, f))
    if (of_first_[f] == kNone) augment(open, static_cast<std::uint8_t>(f));
  for (std::size_t f = firsts._Find_first(); f < kPathsMax; f = next(firsts, f))
    if (of_first_[f] != kNone) matched.set(of_first_[f]);
  return matched;
}

/// Adds the first number `from` to the matching, along an augmenting path found by breadth-first
/// search. Returns false if there is no such path.
bool LargestSet::augment(const Paths& open, std::uint8_t from) {
  into_last_.fill(kNone);
  unsigned head = 0, tail = 0;
  queue_[tail++] = from;
  while (head < tail) {
    const Paths ways = by_first_[queue_[head++]] & open;
    for (std::size_t i = ways._Find_first(); i < kPathsMax; i = next(ways, i)) {
      const std::uint8_t l = last[i];
      if (into_last_[l] != kNone) continue;
      into_last_[l] = static_cast<std::uint8_t>(i);
      if (of_last_[l] != kNone) {
        queue_[tail++] = first[of_last_[l]];
        continue;
      }
      for (std::uint8_t at = l; at != kNone;) {  // rematches each back to `from`
        const std::uint8_t path = into_last_[at];
        const std::uint8_t before = of_first_[first[path]];
        of_first_[first[path]] = of_last_[at] = path;
        at = before == kNone ? kNone : last[before];
      }
      return true;
    }
  }
  return false;
}

/// Of the paths in `set` that conflict with others in `set`, returns the one that conflicts with
/// most open paths; kPathsMax if none conflicts.
std::size_t LargestSet::most_contested(const Paths& set, const Paths& open) const {
  std::size_t pick = kPathsMax, most = 0;
  for (std::size_t i = set._Find_first(); i < kPathsMax; i = next(set, i)) {
    if ((conflicts[i] & set).none()) continue;
    const std::size_t rivals = (conflicts[i] & open).count();
    if (rivals > most) {
      pick = i;
      most = rivals;
    }
  }
  return pick;
}

}  // namespace selvedge::prover
