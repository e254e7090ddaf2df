// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/trees.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge::ist {

Torus::Torus(std::vector<unsigned> sizes) : sizes_(std::move(sizes)), stride_(sizes_.size()) {
  for (std::size_t i = sizes_.size(); i-- > 0;) {
    stride_[i] = places_;
    places_ *= sizes_[i];
  }
  for (Place p = 0; p < places_; ++p)
    for (unsigned i = 0; i < dimensions(); ++i) {
      const unsigned k = sizes_[i];
      const unsigned c = p / stride_[i] % k;
      coordinate_.push_back(c);
      neighbour_.push_back(c == 0 ? p + (k - 1) * stride_[i] : p - stride_[i]);
      neighbour_.push_back(c + 1 == k ? p - (k - 1) * stride_[i] : p + stride_[i]);
    }
}

void Torus::relative(Place root, std::vector<Place>& table) const {
  table.assign(places_, 0);
  for (Place p = 0; p < places_; ++p)
    for (unsigned i = 0; i < dimensions(); ++i) {
      const unsigned c = coordinate(p, i), r = coordinate(root, i);
      table[p] += (c >= r ? c - r : c + sizes_[i] - r) * stride_[i];
    }
}

void Torus::absolute(Place root, std::vector<Place>& table) const {
  table.assign(places_, 0);
  for (Place p = 0; p < places_; ++p)
    for (unsigned i = 0; i < dimensions(); ++i) {
      const unsigned c = coordinate(p, i) + coordinate(root, i);
      table[p] += (c < sizes_[i] ? c : c - sizes_[i]) * stride_[i];
    }
}

namespace {

/// The next step from p in an independent tree, by the rule in trees.hpp. `tree` is the direction
/// of the tree's last step to the root.
Direction step(const Torus& torus, Direction tree, Place p) {
  const unsigned n = torus.dimensions(), own = tree / 2;
  const auto coordinate = [&](unsigned i) { return torus.coordinate(p, i); };
  const auto low = [&](unsigned i) {
    return coordinate(i) >= 1 && coordinate(i) <= torus.sizes()[i] / 2;
  };
  unsigned other = n;  // the first dimension after `own`, cyclically, with a coordinate ≠ 0
  for (unsigned j = n - 1; j > 0; --j)
    if (coordinate((own + j) % n) != 0) other = (own + j) % n;
  if (other == n) return tree;
  if (coordinate(own) == 0) return opposite(tree);
  const bool towards_minus = tree % 2 == 0;
  if (low(own) != towards_minus) return tree;
  return static_cast<Direction>(2 * other + (low(other) ? 0 : 1));
}

/// An independent tree whose path from p is a shortest one. For each dimension i with c_i ≠ 0 that
/// holds for tree (i, −) if c_i is low, and for (i, +) if c_i is high. The first such dimension is
/// taken: its coordinate changes last, so the next switches on the path take the same tree.
Direction nearest_tree(const Torus& torus, Place p) {
  unsigned i = 0;
  while (torus.coordinate(p, i) == 0) ++i;
  const bool low = torus.coordinate(p, i) <= torus.sizes()[i] / 2;
  return static_cast<Direction>(2 * i + (low ? 0 : 1));
}

}  // namespace

Trees::Trees(const Torus& torus)
    : count_(torus.directions()), places_(torus.places()), followed_(torus.places(), 0) {
  const std::size_t all = std::size_t{count_ + 1} * places_;
  next_.assign(all, kNoDirection);
  length_.assign(all, 0);
  order_.assign(all, 0);
  for (Place p = 1; p < places_; ++p) {
    followed_[p] = nearest_tree(torus, p);
    for (unsigned t = 0; t < count_; ++t)
      next_[t * places_ + p] = step(torus, static_cast<Direction>(t), p);
    next_[count_ * places_ + p] = next(followed_[p], p);
  }

  std::vector<Place> way;
  for (unsigned t = 0; t <= count_; ++t) {
    unsigned* length = length_.data() + std::size_t{t} * places_;
    for (Place p = 1; p < places_; ++p) {
      Place q = p;
      for (way.clear(); q != 0 && length[q] == 0; q = torus.neighbour(q, next(t, q)))
        way.push_back(q);
      for (unsigned l = length[q]; !way.empty(); way.pop_back()) length[way.back()] = ++l;
    }
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(std::size_t{t} * places_);
    std::iota(first, first + places_, Place{0});
    std::stable_sort(first, first + places_,
                     [&](Place a, Place b) { return length[a] < length[b]; });
  }
}

}  // namespace selvedge::ist
