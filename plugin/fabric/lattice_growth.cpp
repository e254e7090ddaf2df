// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/lattice_growth.hpp"

#include <algorithm>
#include <cstdlib>

#include "plugin/fabric/stable_random.hpp"

namespace selvedge::regularity {
namespace {

constexpr unsigned kMaxGuesses = 8;

}  // namespace

LatticeGrowth::LatticeGrowth(const PlainGraph& graph, SwitchId seed, const Star& star, bool fours)
    : graph_(graph),
      dimensions_(static_cast<unsigned>(star.opposite.size() +
                                        (fours ? star.alone.size() / 2 : star.alone.size()))),
      fours_(fours),
      placed_(graph.size(), false),
      position_(std::size_t{graph.size()} * dimensions_, 0),
      place_(graph.size(), 0) {
  StableRandom random(dimensions_);
  for (unsigned i = 0; i < dimensions_; ++i) step_.push_back(random.next());
  switch_at_.reserve(graph.size());

  put(seed, kNoSwitch, 0);
  Direction d = 0;
  for (const auto& [a, b] : star.opposite) {
    put(a, seed, d++);
    put(b, seed, d++);
  }
  // In rings of four any pairing is right, because the neighbours in `alone` are interchangeable.
  for (const SwitchId s : star.alone) {
    put(s, seed, fours ? d : d + 1);
    d += fours ? 1 : 2;
  }
  grow();
}

SwitchId LatticeGrowth::at(std::uint64_t place) const {
  const auto it = switch_at_.find(place);
  return it == switch_at_.end() ? kNoSwitch : it->second;
}

void LatticeGrowth::put(SwitchId s, SwitchId neighbour, Direction d) {
  if (neighbour != kNoSwitch) {
    std::copy_n(position_.begin() + std::ptrdiff_t{neighbour} * dimensions_, dimensions_,
                position_.begin() + std::ptrdiff_t{s} * dimensions_);
    position_[std::size_t{s} * dimensions_ + d / 2] += d % 2 == 1 ? 1 : -1;
    place_[s] = beside(place_[neighbour], d);
  }
  placed_[s] = true;
  ++num_placed_;
  switch_at_.emplace(place_[s], s);
  straight_.push_back(s);
  for (const SwitchId t : graph_.neighbours(s)) (placed_[t] ? straight_ : corner_).push_back(t);
}

void LatticeGrowth::grow() {
  while (true) {
    if (!corner_.empty()) {
      const SwitchId s = corner_.front();
      corner_.pop_front();
      if (!placed_[s]) try_corner(s);
    } else if (!straight_.empty()) {
      const SwitchId v = straight_.front();
      straight_.pop_front();
      if (try_straight(v)) straight_.push_back(v);
    } else if (!guess()) {
      return;
    }
  }
}

bool LatticeGrowth::try_corner(SwitchId s) {
  std::array<SwitchId, kMaxLatticeDegree> known;
  unsigned count = 0;
  for (const SwitchId t : graph_.neighbours(s))
    if (placed_[t] && count < kMaxLatticeDegree) known[count++] = t;

  struct Vote {
    std::uint64_t place;
    SwitchId beside;
    Direction d;
    unsigned votes;
  };
  std::vector<Vote> votes;
  const auto vote = [&](SwitchId neighbour, Direction d) {
    const std::uint64_t place = beside(place_[neighbour], d);
    if (at(place) != kNoSwitch) return;
    for (Vote& v : votes)
      if (v.place == place) {
        ++v.votes;
        return;
      }
    votes.push_back({place, neighbour, d, 1});
  };
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned j = i + 1; j < count; ++j) {
      const auto p = position(known[i]), q = position(known[j]);
      std::array<Direction, 2> way{};  // the two steps from p to q
      unsigned steps = 0;
      bool diagonal = true;
      for (unsigned x = 0; x < dimensions_ && diagonal; ++x) {
        const std::int32_t difference = q[x] - p[x];
        if (difference == 0) continue;
        diagonal = std::abs(difference) == 1 && steps < 2;
        if (diagonal) way[steps++] = 2 * x + (difference > 0 ? 1 : 0);
      }
      if (!diagonal || steps != 2) continue;
      vote(known[i], way[0]);
      vote(known[i], way[1]);
    }
  }
  const Vote* best = nullptr;
  bool tied = false;
  for (const Vote& v : votes) {
    if (best != nullptr && v.votes == best->votes) tied = true;
    if (best == nullptr || v.votes > best->votes) {
      best = &v;
      tied = false;
    }
  }
  if (best == nullptr || tied) return false;
  put(s, best->beside, best->d);
  return true;
}

bool LatticeGrowth::try_straight(SwitchId v) {
  std::array<SwitchId, 2 * kMaxLatticeDegree> around;  // index: a direction
  unsigned free = 0;
  for (Direction d = 0; d < 2 * dimensions_; ++d) {
    around[d] = at(beside(place_[v], d));
    if (around[d] == kNoSwitch) ++free;
  }
  if (free == 0) return false;
  const unsigned waiting = waiting_at(v);
  if (waiting == 0) return false;

  for (const SwitchId w : graph_.neighbours(v)) {
    if (placed_[w]) continue;
    unsigned candidates = 0;
    Direction found = 0;
    for (unsigned i = 0; i < dimensions_; ++i) {
      bool other_dimension = false;
      for (const Direction d : {2 * i, 2 * i + 1})
        other_dimension |= around[d] != kNoSwitch && right_angle(v, w, around[d]);
      if (other_dimension) continue;
      for (const Direction d : {2 * i, 2 * i + 1}) {
        if (around[d] != kNoSwitch) continue;
        ++candidates;
        found = d;
      }
    }
    if (candidates == 0 && fours_ && free == 1 && waiting == 1) {
      candidates = 1;  // a ring of four: w is at right angles to all, but only one place is free
      for (Direction d = 0; d < 2 * dimensions_; ++d)
        if (around[d] == kNoSwitch) found = d;
    }
    if (candidates == 1) {
      put(w, v, found);
      return true;
    }
  }
  return false;
}

unsigned LatticeGrowth::waiting_at(SwitchId v) const {
  unsigned waiting = 0;
  for (const SwitchId w : graph_.neighbours(v)) waiting += placed_[w] ? 0 : 1;
  return waiting;
}

bool LatticeGrowth::guess() {
  const std::uint32_t cabled = graph_.size() - graph_.isolated();
  if (guesses_ == kMaxGuesses || (cabled - num_placed_) * 64 <= cabled) return false;
  ++guesses_;

  // The switches that have the same coordinate in a dimension: their number, and how many of them
  // have a neighbour without a place.
  struct Slab {
    std::uint32_t switches = 0, waiting = 0;
  };
  std::vector<boost::unordered_flat_map<std::int32_t, Slab>> slabs(dimensions_);
  std::vector<SwitchId> edge;
  for (SwitchId v = 0; v < graph_.size(); ++v) {
    if (!placed_[v]) continue;
    const bool waits = waiting_at(v) > 0;
    if (waits) edge.push_back(v);
    for (unsigned i = 0; i < dimensions_; ++i) {
      Slab& slab = slabs[i][position(v)[i]];
      ++slab.switches;
      slab.waiting += waits ? 1 : 0;
    }
  }
  SwitchId best_v = kNoSwitch, best_w = kNoSwitch;
  Direction best_d = 0;
  std::uint64_t best = 0;
  for (const SwitchId v : edge) {
    for (const SwitchId w : graph_.neighbours(v)) {
      if (placed_[w]) continue;
      for (Direction d = 0; d < 2 * dimensions_; ++d) {
        if (at(beside(place_[v], d)) != kNoSwitch) continue;
        const SwitchId behind = at(beside(place_[v], d ^ 1u));
        if (behind == kNoSwitch || right_angle(v, w, behind)) continue;
        const Slab slab = slabs[d / 2][position(v)[d / 2]];
        const std::uint64_t share = (std::uint64_t{slab.waiting} << 32) / slab.switches;
        if (share > best) {
          best = share;
          best_v = v;
          best_w = w;
          best_d = d;
        }
      }
    }
  }
  if (best_v == kNoSwitch) return false;
  put(best_w, best_v, best_d);
  return true;
}

}  // namespace selvedge::regularity
