// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/lattice_names.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace selvedge::regularity {
namespace {

/// One dimension of the grid, and how its coordinates become those of the result.
struct Axis {
  std::size_t from;
  unsigned size;
  std::uint32_t step = 0;  // the median difference of switch ids along one step
  bool ordered = false;    // whether most steps differ from `step` by ≤ step / 4
  bool flip = false;       // whether resulting coordinates descend as the grid's ascend
  unsigned zero = 0;       // the grid's coordinate that becomes 0
  SwitchId next = 0;       // if ids have no order: the switch at +1 from the origin
};

std::uint32_t gap(SwitchId a, SwitchId b) { return a > b ? a - b : b - a; }

/// Calls f(a, b) for every step along dimension i, from switch a to switch b. Wraparound steps are
/// included.
template <class Function>
void each_step(const Grid& grid, std::size_t i, Function&& f) {
  for (std::uint32_t p = 0; p < grid.places; ++p) {
    const std::uint32_t q = grid.beside(p, i, true);
    if (q != Grid::kNowhere && grid.switch_at[p] != kNoSwitch && grid.switch_at[q] != kNoSwitch)
      f(grid.switch_at[p], grid.switch_at[q]);
  }
}

/// Sets `step` and `ordered`. A ring has at least three steps and only one wraps around, so the
/// median is a difference along a step that does not. A few missing switches change few steps, and
/// these only a little.
void measure_step(const Grid& grid, Axis& axis) {
  std::vector<std::uint32_t> gaps;
  each_step(grid, axis.from, [&](SwitchId a, SwitchId b) { gaps.push_back(gap(a, b)); });
  if (gaps.empty()) return;
  std::ranges::sort(gaps);
  axis.step = gaps[(gaps.size() - 1) / 2];
  const auto from = std::ranges::lower_bound(gaps, axis.step - axis.step / 4);
  const auto to = std::ranges::upper_bound(gaps, axis.step + axis.step / 4);
  axis.ordered = static_cast<std::size_t>(to - from) * 2 > gaps.size();
}

/// Sets `flip` and `zero` by the ids. Coordinates ascend in the direction in which most steps raise
/// the id. In a torus, coordinate 0 is where most steps lower the id: there the numbering begins
/// again.
void follow_ids(const Grid& grid, Axis& axis) {
  std::size_t rising = 0, steps = 0;
  each_step(grid, axis.from, [&](SwitchId a, SwitchId b) { ++steps, rising += a < b ? 1 : 0; });
  axis.flip = rising * 2 < steps;
  axis.zero = axis.flip ? axis.size - 1 : 0;
  if (!grid.wrap) return;
  // Per coordinate: the steps that end there and lower the id, and all steps that end there
  std::vector<std::uint64_t> falling(axis.size, 0), all(axis.size, 0);
  each_step(grid, axis.from, [&](SwitchId a, SwitchId b) {
    if (axis.flip) std::swap(a, b);
    const unsigned c = grid.coordinate(grid.place[b], axis.from);
    ++all[c], falling[c] += b < a ? 1 : 0;
  });
  for (unsigned c = 0; c < axis.size; ++c)
    if (all[axis.zero] == 0 || falling[c] * all[axis.zero] > falling[axis.zero] * all[c])
      axis.zero = c;
}

/// Sets `flip` and `zero` if the ids have no order. In a torus switch 0 becomes the origin, and its
/// neighbour with the lower id is at +1. In a mesh switch 0 gets into the half near the origin.
void follow_origin(const Grid& grid, Axis& axis) {
  const std::uint32_t origin = grid.place[0];
  const auto id_at = [&](std::uint32_t p) {
    return p == Grid::kNowhere ? kNoSwitch : grid.switch_at[p];
  };
  const unsigned here = grid.coordinate(origin, axis.from);
  const SwitchId up = id_at(grid.beside(origin, axis.from, true));
  const SwitchId down = id_at(grid.beside(origin, axis.from, false));
  axis.flip = grid.wrap ? down < up : here > axis.size - 1 - here;
  axis.zero = grid.wrap ? here : axis.flip ? axis.size - 1 : 0;
  axis.next = axis.flip ? down : up;
}

/// Chooses which dimensions of a hypercube make a ring. Two rings of four are a hypercube of four
/// dimensions (of size 2), which can be split into two rings in several ways. If ids are row-major,
/// the two dimensions of one ring have similar id differences; one is on average twice the other.
/// So the dimensions are sorted by their mean difference, and adjacent ones are paired.
void pair_dimensions_of_rings(Grid& grid) {
  std::vector<std::size_t> fours;
  for (std::size_t i = 0; i < grid.sizes.size(); ++i)
    if (grid.wrap && grid.sizes[i] == 4) fours.push_back(i);
  if (fours.size() < 2) return;
  // The two bits of the coordinates 0 to 3 along a ring are 00, 01, 11, 10 (Gray code).
  const auto bit = [&](std::uint32_t p, std::size_t dimension) {
    const unsigned c = grid.coordinate(p, fours[dimension / 2]);
    return dimension % 2 == 0 ? c / 2 : (c ^ c / 2) & 1u;
  };
  const auto across = [&](std::uint32_t p, std::size_t dimension) {
    const std::uint32_t stride = grid.stride[fours[dimension / 2]];
    const unsigned c = grid.coordinate(p, fours[dimension / 2]);
    const unsigned there = dimension % 2 == 0 ? 3 - c : c ^ 1u;
    return p - c * stride + there * stride;
  };
  struct Dimension {
    std::uint64_t sum = 0, count = 0;
    std::size_t from = 0;
  };
  std::vector<Dimension> dimensions(2 * fours.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d].from = d;
    for (std::uint32_t p = 0; p < grid.places; ++p) {
      const SwitchId a = grid.switch_at[p], b = grid.switch_at[across(p, d)];
      if (a == kNoSwitch || b == kNoSwitch) continue;
      dimensions[d].sum += gap(a, b), ++dimensions[d].count;
    }
  }
  std::ranges::stable_sort(dimensions, [](const Dimension& a, const Dimension& b) {
    return a.sum * b.count > b.sum * a.count;
  });
  std::vector<SwitchId> switch_at(grid.places, kNoSwitch);
  for (std::uint32_t p = 0; p < grid.places; ++p) {
    std::uint32_t q = p;
    for (std::size_t i = 0; i < fours.size(); ++i) {
      const unsigned high = bit(p, dimensions[2 * i].from);
      const unsigned low = bit(p, dimensions[2 * i + 1].from);
      q -= grid.coordinate(p, fours[i]) * grid.stride[fours[i]];
      q += (2 * high + (high ^ low)) * grid.stride[fours[i]];
    }
    switch_at[q] = grid.switch_at[p];
    if (switch_at[q] != kNoSwitch) grid.place[switch_at[q]] = q;
  }
  grid.switch_at = std::move(switch_at);
}

}  // namespace

void name_places(Grid grid, Regularity& form) {
  pair_dimensions_of_rings(grid);
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < grid.sizes.size(); ++i) {
    if (grid.sizes[i] == 1) continue;
    axes.push_back({i, grid.sizes[i]});
    measure_step(grid, axes.back());
  }
  const bool ordered = std::ranges::all_of(axes, &Axis::ordered);
  for (Axis& axis : axes)
    if (ordered)
      follow_ids(grid, axis);
    else
      follow_origin(grid, axis);
  std::ranges::stable_sort(axes, [&](const Axis& a, const Axis& b) {
    return ordered ? std::pair(a.step, a.size) > std::pair(b.step, b.size)
                   : std::pair(a.size, a.next) > std::pair(b.size, b.next);
  });

  form.sizes.clear();
  form.coordinates.clear();
  for (const Axis& axis : axes) form.sizes.push_back(axis.size);
  form.coordinates.reserve(grid.place.size() * axes.size());
  for (const std::uint32_t place : grid.place)
    for (const Axis& axis : axes) {
      const unsigned c = grid.coordinate(place, axis.from);
      const unsigned x = axis.flip ? axis.zero + axis.size - c : c + axis.size - axis.zero;
      form.coordinates.push_back(static_cast<std::uint16_t>(x % axis.size));
    }
}

}  // namespace selvedge::regularity
