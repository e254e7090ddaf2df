// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// 2n independent spanning trees for every switch of an n-dimensional torus, in closed form.
//
// Independent: from any switch, its paths to the root along the 2n trees share no link and no
// switch but the two ends. A switch has 2n cables to others, so no set is larger; and since each
// tree is forwarded by one DLID, 2n DLIDs are enough for as many disjoint paths as there can be.
//
// The rule, for the root at 0 and with a coordinate c called low if 1 ≤ c ≤ ⌊k/2⌋, high if above.
// Paths of tree (i, −) arrive at the root by steps of −1 along dimension i:
//
//   all coordinates but c_i are 0      step −1 along i
//   else c_i = 0                       step +1 along i: leave the plane of the root
//   else c_i high                      step −1 along i: go round until c_i is low
//   else c_i low                       bring the other coordinates to 0, the short way round, in
//                                      the cyclic order i+1, i+2, …; then the first line applies
//
// Tree (i, +) is its mirror image. Why the paths of a switch are disjoint: while tree (i, −)
// changes other coordinates, its c_i is low and constant (or is 1, or ⌊k/2⌋, if c_i of the switch
// itself is 0, or high). Tree (i, +) does so at high c_i. So the two trees of a dimension never
// meet. Of the trees of two dimensions, the cyclic order lets each begin with another step. Each
// removes a coordinate that the others still have, or has one that the others removed. (That is a
// sketch; tests prove it switch by switch for every size they name.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace selvedge::ist {

using Place = std::uint32_t;     // in the torus, row-major, coordinate 0 slowest
using Direction = std::uint8_t;  // 2i: a step of −1 along dimension i; 2i + 1: of +1
inline constexpr Direction kNoDirection = 255;
constexpr Direction opposite(Direction d) { return d ^ 1u; }

/// The places of a torus and their neighbours.
class Torus {
 public:
  explicit Torus(std::vector<unsigned> sizes);

  const std::vector<unsigned>& sizes() const { return sizes_; }
  unsigned dimensions() const { return static_cast<unsigned>(sizes_.size()); }
  Direction directions() const { return static_cast<Direction>(2 * dimensions()); }
  Place places() const { return places_; }
  unsigned coordinate(Place p, unsigned dimension) const {
    return coordinate_[p * dimensions() + dimension];
  }
  Place neighbour(Place p, Direction d) const { return neighbour_[p * directions() + d]; }
  Place stride(unsigned dimension) const { return stride_[dimension]; }
  /// Fills table[p] with p as seen from `root` (that is, p − root in every coordinate)…
  void relative(Place root, std::vector<Place>& table) const;
  /// …or with the place that is at p as seen from `root` (root + p).
  void absolute(Place root, std::vector<Place>& table) const;

 private:
  std::vector<unsigned> sizes_;
  std::vector<Place> stride_;
  Place places_ = 1;
  std::vector<unsigned> coordinate_;  // [place][dimension]
  std::vector<Place> neighbour_;      // [place][direction]
};

/// The trees of the root at place 0; those of other roots are translations.
class Trees {
 public:
  explicit Trees(const Torus& torus);

  /// The number of independent trees; one further tree, shortest(), is composed of their paths.
  unsigned independent() const { return count_; }
  /// The tree that takes every switch along the shortest of its independent paths, which is a
  /// shortest path there is. (It cannot be one of the independent trees itself: docs/engines.md.)
  unsigned shortest() const { return count_; }
  /// The independent tree whose path shortest() follows from here.
  unsigned followed(Place p) const { return followed_[p]; }

  Direction next(unsigned tree, Place p) const { return next_[tree * places_ + p]; }
  /// Hops to the root.
  unsigned length(unsigned tree, Place p) const { return length_[tree * places_ + p]; }
  /// Every place: the root first, each other place after its next hop.
  std::span<const Place> order(unsigned tree) const {
    return {order_.data() + std::size_t{tree} * places_, places_};
  }

 private:
  unsigned count_;
  Place places_;
  std::vector<Direction> next_;  // [tree][place], kNoDirection at the root
  std::vector<unsigned> length_;
  std::vector<Place> order_;
  std::vector<unsigned> followed_;
};

}  // namespace selvedge::ist
