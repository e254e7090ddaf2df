// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lays a graph out on the integer lattice Zⁿ, switch by switch from a first one (the seed), as if
// the sizes were infinite. So a torus is unrolled, with each of its switches placed once. The
// cables at which two sides of the growing patch meet again give the sizes (recognise_lattice.cpp).
//
// Two rules place a switch:
// - Corner: the switch is a neighbour of two switches that are placed diagonally, at p + a and at
//   p + b. Then its place is p or p + a + b, whichever is free. A missing cable can delay this rule
//   but not mislead it.
// - Straight on: the switch is a neighbour of a switch v, and in each dimension but one it shares a
//   second neighbour with one of v's neighbours. Then its place is in the remaining dimension, on
//   the free side of v.
// The second rule is tried only if the first rule applies nowhere. If neither applies but more than
// 1/64 of the switches have no place yet, a guess is made. (That happens if a cable is missing in
// the last row but one of a narrow mesh.) The guess continues in a direction in which many switches
// of the same row also have neighbours without a place. A wrong guess is noticed later, when the
// fabric is compared with the torus or mesh found.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge::regularity {

/// The most neighbours that a switch can have in a torus or mesh that a subnet has room for (3^9
/// switches).
inline constexpr unsigned kMaxLatticeDegree = 18;

/// The neighbours of a switch, sorted by what they share. `opposite`: pairs of neighbours that have
/// only this switch as common neighbour. `alone`: neighbours at right angles to all others, that
/// is, with two common neighbours for each of these.
struct Star {
  std::vector<std::pair<SwitchId, SwitchId>> opposite;
  std::vector<SwitchId> alone;
};

class LatticeGrowth {
 public:
  /// Lays the graph out from `seed`. `fours`: set for rings of four, in which opposite neighbours
  /// look as if they were at right angles. Then the neighbours in `alone` are taken as pairs, one
  /// dimension for each two of them.
  LatticeGrowth(const PlainGraph& graph, SwitchId seed, const Star& star, bool fours);

  unsigned dimensions() const { return dimensions_; }
  bool placed(SwitchId s) const { return placed_[s]; }
  std::uint32_t num_placed() const { return num_placed_; }
  std::span<const std::int32_t> position(SwitchId s) const {
    return {position_.data() + std::size_t{s} * dimensions_, dimensions_};
  }

 private:
  using Direction = unsigned;  // 2i: towards −1 in dimension i; 2i + 1: towards +1

  std::uint64_t beside(std::uint64_t place, Direction d) const {
    return place + (d % 2 == 1 ? step_[d / 2] : 0 - step_[d / 2]);
  }
  SwitchId at(std::uint64_t place) const;
  void put(SwitchId s, SwitchId neighbour, Direction d);
  void grow();
  bool try_corner(SwitchId s);
  bool try_straight(SwitchId v);
  bool guess();
  /// The number of neighbours of v that are not placed yet.
  unsigned waiting_at(SwitchId v) const;
  /// Whether two neighbours of v are at right angles, that is, whether they share a neighbour
  /// besides v.
  bool right_angle(SwitchId v, SwitchId a, SwitchId b) const {
    return graph_.common(a, b) > (graph_.adjacent(v, a) && graph_.adjacent(v, b) ? 1u : 0u);
  }

  const PlainGraph& graph_;
  unsigned dimensions_;
  bool fours_;
  // A place is stored as a key: Σ coordinate_i × step_i mod 2⁶⁴, with fixed random steps. A
  // collision is very unlikely for the small coordinates here, with any number of dimensions.
  std::vector<std::uint64_t> step_;
  std::vector<bool> placed_;
  std::vector<std::int32_t> position_;
  std::vector<std::uint64_t> place_;
  boost::unordered_flat_map<std::uint64_t, SwitchId> switch_at_;
  std::uint32_t num_placed_ = 0;
  unsigned guesses_ = 0;
  std::deque<SwitchId> corner_;    // switches without a place that got a placed neighbour
  std::deque<SwitchId> straight_;  // placed switches; a place or neighbour near them changed
};

}  // namespace selvedge::regularity
