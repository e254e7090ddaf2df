// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lays a graph out on the integer lattice Zⁿ, switch by switch from a seed, as if the sizes were
// infinite. A torus is thereby unrolled: each of its switches is laid out once, and the cables at
// which the two sides of the growing patch meet again show its sizes (recognise_lattice.cpp).
//
// Two rules place a switch:
// - Corner: it neighbours two switches that lie diagonally to each other, p + a and p + b. It then
//   belongs to the free one of the two places that touch both. Missing cables make this rule wait,
//   but never mislead it.
// - Straight on: it neighbours a switch v, and shares a second neighbour with one of v's
//   neighbours in each dimension but one. Then it lies in that dimension, on the side of v that is
//   free.
// The second is tried only where the first has nothing to do. Where neither has, but a good part of
// the graph is left (a missing cable in the last row but one of a narrow mesh), a guess is made: a
// way on that the switches beside seem to take too. A wrong guess shows in the comparison with the
// form.
//
// Of this room only.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge::regularity {

/// More neighbours than this no switch of a torus or mesh has that fits a subnet (3^9 switches).
inline constexpr unsigned kMaxLatticeDegree = 18;

/// What a switch's surroundings say of its neighbours: each is either opposite to one other (the
/// two share no neighbour but the switch) or alone, at right angles to all (each shares two).
struct Star {
  std::vector<std::pair<SwitchId, SwitchId>> opposite;
  std::vector<SwitchId> alone;
};

class LatticeGrowth {
 public:
  /// `fours`: opposites of a ring of four look like right angles, so count them as free ends too.
  LatticeGrowth(const PlainGraph& graph, SwitchId seed, const Star& star, bool fours);

  unsigned dimensions() const { return dimensions_; }
  bool placed(SwitchId s) const { return placed_[s]; }
  std::uint32_t num_placed() const { return num_placed_; }
  std::span<const std::int32_t> position(SwitchId s) const {
    return {position_.data() + std::size_t{s} * dimensions_, dimensions_};
  }

 private:
  using Direction = unsigned;  // 2i: dimension i towards −1; 2i + 1: towards +1

  std::uint64_t beside(std::uint64_t place, Direction d) const {
    return place + (d % 2 == 1 ? step_[d / 2] : 0 - step_[d / 2]);
  }
  SwitchId at(std::uint64_t place) const;
  void put(SwitchId s, SwitchId beside_whom, Direction d);
  void grow();
  bool try_corner(SwitchId s);
  bool try_straight(SwitchId v);
  bool guess();
  /// Neighbours that are not placed yet.
  unsigned waiting_at(SwitchId v) const;
  /// Are the two at right angles, as seen from v: do they share another neighbour?
  bool right_angle(SwitchId v, SwitchId a, SwitchId b) const {
    return graph_.common(a, b) > (graph_.adjacent(v, a) && graph_.adjacent(v, b) ? 1u : 0u);
  }

  const PlainGraph& graph_;
  unsigned dimensions_;
  bool fours_;
  // A place is called by Σ coordinate_i × step_i mod 2⁶⁴ with fixed random steps: as good as
  // distinct for the small coordinates here, for any number of dimensions.
  std::vector<std::uint64_t> step_;
  std::vector<bool> placed_;
  std::vector<std::int32_t> position_;
  std::vector<std::uint64_t> place_;
  boost::unordered_flat_map<std::uint64_t, SwitchId> who_;
  std::uint32_t num_placed_ = 0;
  unsigned guesses_ = 0;
  std::deque<SwitchId> corner_;    // not placed yet; got a new neighbour
  std::deque<SwitchId> straight_;  // placed; something around them changed
};

}  // namespace selvedge::regularity
