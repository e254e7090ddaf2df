// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/trees.hpp"

#include <stdexcept>

namespace selvedge::spftr {
namespace {

constexpr std::uint16_t kNone = UINT16_MAX;
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

PlaneShape shape_of(const StoredTrees& s, TakingTurns turns) {
  return {{s.rows_left, s.rows_right}, {s.columns_left, s.columns_right}, turns};
}

PlaneShape exchanged(const PlaneShape& shape) { return {shape.columns, shape.rows, shape.turns}; }

/// The cell that is this one when rows and columns are exchanged.
unsigned exchanged_cell(const PlaneShape& shape, unsigned cell) {
  if (shape.turns == TakingTurns::kEverywhere)
    return cell % shape.columns.parts() * shape.rows.parts() + cell / shape.columns.parts();
  const unsigned plain = shape.cells() - 4;
  if (cell >= plain) return plain + ((cell - plain) ^ 2u);
  return cell % shape.columns.zones() * shape.rows.zones() + cell / shape.columns.zones();
}

ShapeTrees read(const StoredTrees& stored, TakingTurns turns) {
  const unsigned cells = shape_of(stored, turns).cells(), digits = (cells + 2) / 3;
  if (stored.text.empty() || stored.text.size() % digits != 0)
    throw std::logic_error("stored trees are not of their shape");
  ShapeTrees result;
  result.trees = static_cast<unsigned>(stored.text.size() / digits);
  result.direction.resize(std::size_t{cells} * result.trees);
  for (unsigned t = 0; t < result.trees; ++t)
    for (unsigned cell = 0; cell < cells; ++cell) {
      const std::size_t value = kDigits.find(stored.text[t * digits + cell / 3]);
      if (value == std::string_view::npos) throw std::logic_error("stored trees: not a digit");
      result.direction[cell * result.trees + t] =
          static_cast<std::uint8_t>(value >> (4 - 2 * (cell % 3)) & 3u);
    }
  return result;
}

/// Rows and columns exchanged: directions 0, 1 (rows) become 2, 3 (columns).
ShapeTrees exchange(const ShapeTrees& trees, const PlaneShape& from) {
  ShapeTrees result = trees;
  for (unsigned cell = 0; cell < from.cells(); ++cell)
    for (unsigned t = 0; t < trees.trees; ++t)
      result.direction[exchanged_cell(from, cell) * trees.trees + t] =
          trees.direction[cell * trees.trees + t] ^ 2u;
  return result;
}

}  // namespace

TreeBook::TreeBook(const TreeStore& stored)
    : stored_(stored), place_(kPlaneShapes, kNone), read_(kPlaneShapes) {
  for (std::size_t i = 0; i < stored.shapes.size(); ++i)
    place_[shape_of(stored.shapes[i], stored.turns).index()] = static_cast<std::uint16_t>(i);
}

const ShapeTrees* TreeBook::find(const PlaneShape& shape) {
  ShapeTrees& known = read_[shape.index()];
  if (known.trees > 0) return &known;
  const PlaneShape other = exchanged(shape);
  if (place_[shape.index()] != kNone)
    known = read(stored_.shapes[place_[shape.index()]], stored_.turns);
  else if (stored_.exchangeable && place_[other.index()] != kNone)
    known = exchange(read(stored_.shapes[place_[other.index()]], stored_.turns), other);
  else
    return nullptr;
  return &known;
}

}  // namespace selvedge::spftr
