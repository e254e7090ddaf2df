// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "plugin/fabric/tree_form.hpp"
#include "plugin/route/drawing.hpp"

namespace selvedge::route {
namespace {

/// The numbers in a name like "S-3-12"; empty if the name has another form.
std::vector<unsigned> numbers_in(std::string_view name) {
  std::vector<unsigned> numbers;
  std::size_t dash = name.find('-');
  while (dash != std::string_view::npos) {
    const std::size_t next = name.find('-', dash + 1);
    const std::string_view digits = name.substr(
        dash + 1, next == std::string_view::npos ? std::string_view::npos : next - dash - 1);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return {};
    numbers.push_back(number);
    dash = next;
  }
  return numbers;
}

/// The position of each switch in each dimension, with the dimension along x first. Coordinates in
/// the names of switches take precedence over recognised coordinates, because readers know the
/// switches by name.
struct Positions {
  std::vector<unsigned> sizes;
  std::vector<unsigned> at;
};

std::optional<Positions> positions_by_name(const Fabric& fabric, const Regularity& regularity) {
  const std::size_t dims = regularity.sizes.size();
  Positions positions{std::vector<unsigned>(dims, 0), {}};
  for (const Switch& s : fabric.switches()) {
    const std::vector<unsigned> numbers = numbers_in(s.name);
    if (numbers.size() != dims) return {};
    for (std::size_t i = 0; i < dims; ++i) {
      const unsigned number = numbers[dims - 1 - i];
      positions.at.push_back(number);
      positions.sizes[i] = std::max(positions.sizes[i], number + 1);
    }
  }
  if (!std::ranges::is_permutation(positions.sizes, regularity.sizes)) return {};
  return positions;
}

Positions positions_by_graph(const Regularity& regularity) {
  // Regularity has the dimension along x last, Positions has it first. Reversing the whole array
  // would also reverse the order of switches, so the numbers of each switch are reversed
  // separately.
  const std::size_t dims = regularity.sizes.size();
  Positions positions{{regularity.sizes.rbegin(), regularity.sizes.rend()}, {}};
  positions.at.reserve(regularity.coordinates.size());
  for (std::size_t first = 0; first < regularity.coordinates.size(); first += dims)
    for (std::size_t i = dims; i-- > 0;) positions.at.push_back(regularity.coordinates[first + i]);
  return positions;
}

Layout ring(std::size_t count, const Positions& positions) {
  Layout layout;
  const double radius = std::max(1.0, static_cast<double>(count) / (2 * std::numbers::pi));
  for (const unsigned i : positions.at) {
    const double angle = 2 * std::numbers::pi * i / static_cast<double>(count);
    layout.at.push_back({radius * (1 + std::sin(angle)), radius * (1 - std::cos(angle))});
  }
  return layout;
}

constexpr unsigned kWidest = 26;  // most cells of a row of planes; more planes are wrapped

/// Lays out a torus or mesh. Each plane of the first two dimensions is laid out as if it were
/// alone. The planes along the third dimension are side by side, in rows that fit a page. Rows run
/// to the right and to the left in turn, so that the next plane is always beside or below. Further
/// dimensions repeat such blocks, in turn below and beside.
Layout grid(const Fabric& fabric, const Positions& positions) {
  const std::size_t dims = positions.sizes.size();
  const auto size = [&](std::size_t i) { return i < dims ? positions.sizes[i] : 1u; };
  constexpr double kGap = 1;  // cells between planes, beyond the one between switches
  const unsigned planes = size(2);
  const double width = size(0) + kGap, height = size(1) + kGap;
  const unsigned in_row =
      planes * width <= kWidest
          ? planes
          : static_cast<unsigned>(std::ceil(std::sqrt(planes * height / width)));
  const unsigned rows = (planes + in_row - 1) / in_row;

  double block_width = in_row * width + kGap, block_height = rows * height + kGap;
  std::vector<Point> step(dims);  // used from the fourth dimension on
  for (std::size_t i = 3; i < dims; ++i) {
    if (i % 2 == 1) {
      step[i] = {0, block_height};
      block_height *= size(i);
    } else {
      step[i] = {block_width, 0};
      block_width *= size(i);
    }
  }
  Layout layout;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const unsigned* at = positions.at.data() + s * dims;
    Point p{static_cast<double>(at[0]), dims > 1 ? static_cast<double>(at[1]) : 0.0};
    if (dims > 2) {
      const unsigned row = at[2] / in_row, along = at[2] % in_row;
      p.x += (row % 2 == 0 ? along : in_row - 1 - along) * width;
      p.y += row * height;
    }
    unsigned plane = dims > 2 ? at[2] : 0;
    for (std::size_t i = 3; i < dims; ++i) {
      p.x += step[i].x * at[i];
      p.y += step[i].y * at[i];
      plane = plane * size(i) + at[i];
    }
    layout.at.push_back(p);
    if (dims > 2) layout.plane.push_back(plane);
  }
  return layout;
}

/// For each switch its layer, which is its distance from the source. Switches that the source
/// cannot reach are in a last layer.
std::vector<unsigned> layers_from(const Fabric& fabric, SwitchId source) {
  constexpr unsigned kUnseen = UINT32_MAX;
  std::vector<unsigned> layer(fabric.num_switches(), kUnseen);
  std::vector<SwitchId> queue{source};
  layer[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : fabric.out(queue[i]))
      if (const SwitchId next = fabric.target(c); layer[next] == kUnseen) {
        layer[next] = layer[queue[i]] + 1;
        queue.push_back(next);
      }
  std::ranges::replace(layer, kUnseen, layer[queue.back()] + 1);
  return layer;
}

/// Lays out the layers along x, one after another. Within a layer, switches are near the mean of
/// their neighbours in the layer before, so that few links cross.
Layout layered(const Fabric& fabric, const std::vector<unsigned>& layer) {
  const unsigned layers = layer.empty() ? 0 : *std::ranges::max_element(layer) + 1;
  std::vector<std::vector<SwitchId>> members(layers);
  for (SwitchId s = 0; s < layer.size(); ++s) members[layer[s]].push_back(s);
  std::size_t tallest = 1;
  for (const auto& m : members) tallest = std::max(tallest, m.size());
  Layout layout;
  layout.at.resize(layer.size());
  std::vector<double> wish(layer.size(), 0);
  const double gap = std::max(1.6, static_cast<double>(tallest) / 6);  // between layers, in cells
  for (unsigned l = 0; l < layers; ++l) {
    for (const SwitchId s : members[l]) {
      unsigned count = 0;
      for (const Channel c : fabric.out(s))
        if (l > 0 && layer[fabric.target(c)] == l - 1) {
          wish[s] += layout.at[fabric.target(c)].y;
          ++count;
        }
      if (count > 0) wish[s] /= count;
    }
    std::ranges::stable_sort(members[l], {}, [&](SwitchId s) { return wish[s]; });
    const double pitch = static_cast<double>(tallest) / static_cast<double>(members[l].size());
    for (std::size_t i = 0; i < members[l].size(); ++i) {
      // Every second switch is a little beside the column, so that links within a layer can be
      // distinguished.
      const double nudge = i % 2 == 1 ? 0.25 : 0;
      layout.at[members[l][i]] = {l * gap + nudge, (static_cast<double>(i) + 0.5) * pitch};
    }
  }
  return layout;
}

/// Lays out levels as rows, the highest on top.
Layout tree(const std::vector<unsigned>& level) {
  const unsigned top = *std::ranges::max_element(level);
  std::vector<std::size_t> width(top + 1u, 0), placed(top + 1u, 0);
  for (const unsigned l : level) ++width[l];
  const double widest = static_cast<double>(*std::ranges::max_element(width));
  Layout layout;
  for (const unsigned l : level)
    layout.at.push_back(
        {(static_cast<double>(placed[l]++) + 0.5) * widest / static_cast<double>(width[l]),
         (top - l) * std::max(1.5, widest / 5)});
  return layout;
}

/// The row of each switch, counted from 0 at the bottom. Switches that are in no tree are in the
/// lowest row.
std::vector<unsigned> rows_of(const Levels& levels) {
  std::int32_t lowest = 0;
  bool apart = false;
  for (const std::int32_t l : levels.level) {
    apart |= l == Levels::kNone;
    if (l != Levels::kNone) lowest = std::min(lowest, l);
  }
  if (apart) --lowest;
  std::vector<unsigned> rows;
  for (const std::int32_t l : levels.level)
    rows.push_back(l == Levels::kNone ? 0 : static_cast<unsigned>(l - lowest));
  return rows;
}

/// Moves everything so that it begins at (0, 0), and sets width and height.
Layout framed(Layout layout) {
  if (layout.at.empty()) return layout;
  Point low = layout.at.front(), high = low;
  for (const Point& p : layout.at) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  for (Point& p : layout.at) p = {p.x - low.x, p.y - low.y};
  layout.width = high.x - low.x;
  layout.height = high.y - low.y;
  return layout;
}

}  // namespace

Layout lay_out(const Fabric& fabric, SwitchId source) {
  const FabricForm form = recognise_form(fabric);
  const Regularity& regularity = form.regularity;
  if (form.kind == FabricForm::Kind::kTree && form.levels)
    return framed(tree(rows_of(*form.levels)));
  switch (regularity.kind) {
    case Regularity::Kind::kTorus:
    case Regularity::Kind::kMesh: {
      const Positions positions =
          positions_by_name(fabric, regularity).value_or(positions_by_graph(regularity));
      if (regularity.kind == Regularity::Kind::kTorus && positions.sizes.size() == 1)
        return framed(ring(positions.sizes[0], positions));
      return framed(grid(fabric, positions));
    }
    case Regularity::Kind::kTree:
      return framed(tree({regularity.level.begin(), regularity.level.end()}));
    case Regularity::Kind::kNone:
      break;
  }
  return framed(layered(fabric, layers_from(fabric, source)));
}

}  // namespace selvedge::route
