// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// 2n independent spanning trees for every switch (as root) of an n-dimensional torus, in closed
// form.
//
// Independent means: from any switch, the paths to the root along the 2n trees share no link, and
// no switch but the two ends. A switch has 2n cables to others, so no larger set exists. Each tree
// is forwarded by one DLID, so 2n DLIDs give as many disjoint paths as there can be.
//
// The rule, for the root at 0. A coordinate c of a dimension of size k is called low if 1 ≤ c ≤
// ⌊k/2⌋, and high if above. The last step of all paths in tree (i, −) is a step of −1 along
// dimension i:
//
//   all coordinates but c_i are 0      step −1 along i
//   else c_i = 0                       step +1 along i, out of the plane that contains the root
//   else c_i high                      step −1 along i, until c_i is low
//   else c_i low                       bring the other coordinates to 0, the short way round, in
//                                      the cyclic order i+1, i+2, …; then the first line applies
//
// Tree (i, +) is the mirror image. Why the paths of a switch are disjoint: while tree (i, −)
// changes other coordinates, its c_i is low and constant. (It is 1 if c_i of the switch is 0, and
// ⌊k/2⌋ if that is high.) Tree (i, +) changes other coordinates at high c_i. So the two trees of a
// dimension never meet. Trees of two different dimensions begin with different steps, because of
// the cyclic order. Then each path has removed a coordinate that the other path still has, or still
// has one that the other has removed. (That is a sketch; tests prove it switch by switch for every
// size that they name.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace selvedge::ist {

using Place = std::uint32_t;     // a point of the torus, row-major, coordinate 0 slowest
using Direction = std::uint8_t;  // 2i: a step of −1 along dimension i; 2i + 1: of +1
inline constexpr Direction kNoDirection = 255;
constexpr Direction opposite(Direction d) { return d ^ 1u; }

/// The places (points) of a torus and their neighbours.
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
  /// Sets table[p] to the position of p relative to `root`: p − root in every coordinate.
  void relative(Place root, std::vector<Place>& table) const;
  /// Sets table[p] to the place whose position relative to `root` is p: root + p in every
  /// coordinate.
  void absolute(Place root, std::vector<Place>& table) const;

 private:
  std::vector<unsigned> sizes_;
  std::vector<Place> stride_;
  Place places_ = 1;
  std::vector<unsigned> coordinate_;  // index: [place][dimension]
  std::vector<Place> neighbour_;      // index: [place][direction]
};

/// The trees whose root is place 0. Trees of other roots are translations of these.
class Trees {
 public:
  explicit Trees(const Torus& torus);

  /// The number of independent trees. One further tree, shortest(), is composed of their paths.
  unsigned independent() const { return count_; }
  /// The number of the tree that takes every switch along the shortest of its paths in the
  /// independent trees. That path is also a shortest path of the torus. (shortest() cannot be an
  /// independent tree itself: docs/engines.md.)
  unsigned shortest() const { return count_; }
  /// The independent tree whose path from p the tree shortest() follows.
  unsigned followed(Place p) const { return followed_[p]; }

  Direction next(unsigned tree, Place p) const { return next_[tree * places_ + p]; }
  /// Hops from p to the root.
  unsigned length(unsigned tree, Place p) const { return length_[tree * places_ + p]; }
  /// All places: the root first, each other place after its next hop.
  std::span<const Place> order(unsigned tree) const {
    return {order_.data() + std::size_t{tree} * places_, places_};
  }

 private:
  unsigned count_;
  Place places_;
  std::vector<Direction> next_;  // [tree][place]; kNoDirection at the root
  std::vector<unsigned> length_;
  std::vector<Place> order_;
  std::vector<unsigned> followed_;
};

}  // namespace selvedge::ist
