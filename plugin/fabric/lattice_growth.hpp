// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lays a graph out on the integer lattice Zⁿ, switch by switch from a seed, as if the sizes were
// infinite. So a torus is unrolled: each of its switches is placed once. The cables at which two
// sides of the growing patch meet again give its sizes (recognise_lattice.cpp).
//
// Two rules place a switch:
// - Corner: it neighbours two switches at diagonal places, p + a and p + b. Its place is then the
//   free one of the two places adjacent to both. A missing cable can delay this rule but not
//   mislead it.
// - Straight on: it neighbours a switch v, and shares a second neighbour with one of v's neighbours
//   in each dimension but one. Then its place is in that dimension, on the free side of v.
// The second rule is tried only if the first one applies nowhere. If neither applies but more than
// 1/64 of the switches is left, a guess is made. (This happens with a missing cable in the last row
// but one of a narrow mesh.) The guess continues in a direction in which many switches of the same
// row also have unplaced neighbours. A wrong guess shows up in the comparison with the form.
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

/// The most neighbours that a switch can have in a torus or mesh that fits a subnet (3^9 switches).
inline constexpr unsigned kMaxLatticeDegree = 18;

/// The neighbours of a switch. Each is either opposite to one other (the switch is the only
/// neighbour that the two share) or alone: at right angles to all others (it shares two neighbours
/// with each).
struct Star {
  std::vector<std::pair<SwitchId, SwitchId>> opposite;
  std::vector<SwitchId> alone;
};

class LatticeGrowth {
 public:
  /// `fours`: in a ring of four, opposite neighbours look as if they were at right angles. So take
  /// the neighbours in `alone` as pairs, one dimension for each two of them.
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
  void put(SwitchId s, SwitchId neighbour, Direction d);
  void grow();
  bool try_corner(SwitchId s);
  bool try_straight(SwitchId v);
  bool guess();
  /// Neighbours that are not placed yet.
  unsigned waiting_at(SwitchId v) const;
  /// Are two neighbours of v at right angles, that is, do they share a neighbour other than v?
  bool right_angle(SwitchId v, SwitchId a, SwitchId b) const {
    return graph_.common(a, b) > (graph_.adjacent(v, a) && graph_.adjacent(v, b) ? 1u : 0u);
  }

  const PlainGraph& graph_;
  unsigned dimensions_;
  bool fours_;
  // The key of a place is Σ coordinate_i × step_i mod 2⁶⁴ with fixed random steps. A collision is
  // very unlikely for the small coordinates here, with any number of dimensions.
  std::vector<std::uint64_t> step_;
  std::vector<bool> placed_;
  std::vector<std::int32_t> position_;
  std::vector<std::uint64_t> place_;
  boost::unordered_flat_map<std::uint64_t, SwitchId> switch_at_;
  std::uint32_t num_placed_ = 0;
  unsigned guesses_ = 0;
  std::deque<SwitchId> corner_;    // not placed yet; got a new neighbour
  std::deque<SwitchId> straight_;  // placed; a place or a neighbour beside them changed
};

}  // namespace selvedge::regularity
