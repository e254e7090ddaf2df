// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/trees.hpp"

#include <fmt/format.h>

#include <string>

#include "plugin/engines/data_lines.hpp"

namespace selvedge::spftr {
namespace {

constexpr std::uint16_t kNone = UINT16_MAX;
constexpr std::string_view kArrows = "^v<>";  // the directions 0, 1, 2, 3 in the text
constexpr char kDestination = 'o', kNoCell = '.';

PlaneShape shape_of(const StoredTrees& s, Alternation turns) {
  return {{s.rows_left, s.rows_right}, {s.columns_left, s.columns_right}, turns};
}

PlaneShape exchanged(const PlaneShape& shape) { return {shape.columns, shape.rows, shape.turns}; }

/// The cell (a pair of zones, zones.hpp) that this one becomes if rows and columns are exchanged.
unsigned exchanged_cell(const PlaneShape& shape, unsigned cell) {
  if (shape.turns == Alternation::kEverywhere)
    return cell % shape.columns.parts() * shape.rows.parts() + cell / shape.columns.parts();
  const unsigned plain = shape.cells() - 4;
  if (cell >= plain) return plain + ((cell - plain) ^ 2u);
  return cell % shape.columns.zones() * shape.rows.zones() + cell / shape.columns.zones();
}

/// How a tree's line of text is divided: a character for each cell (zones.hpp), in the order of the
/// line.
std::string pattern_of(const PlaneShape& shape) {
  std::string pattern;
  const bool everywhere = shape.turns == Alternation::kEverywhere;
  const unsigned rows = everywhere ? shape.rows.parts() : shape.rows.zones();
  const unsigned columns = everywhere ? shape.columns.parts() : shape.columns.zones();
  for (unsigned y = 0; y < rows; ++y) {
    if (y > 0) pattern += ' ';
    for (unsigned x = 0; x < columns; ++x)
      pattern += y == shape.rows.left && x == shape.columns.left ? kDestination : '*';
  }
  if (everywhere) return pattern;
  pattern += " : ";
  for (const bool wide : {shape.columns.wide_left(), shape.columns.wide_right(),
                          shape.rows.wide_left(), shape.rows.wide_right()})
    pattern += wide ? '*' : kNoCell;
  return pattern;
}

ShapeTrees read(std::string_view file, const StoredTrees& stored, Alternation turns) {
  const PlaneShape shape = shape_of(stored, turns);
  const std::string pattern = pattern_of(shape);
  std::vector<std::uint8_t> found;  // [tree][cell]: the direction
  ShapeTrees result;
  DataLines data(file, stored.lines, stored.first_line);
  DataLine line{{}, stored.first_line};
  for (; data.next(line); ++result.trees) {
    if (line.text.size() != pattern.size())
      data.fail(line.number, fmt::format("a tree of this shape has the form {}", pattern));
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '*') {
        if (line.text[i] != pattern[i])
          data.fail(line.number, fmt::format("a tree of this shape has the form {}", pattern));
        if (pattern[i] == kDestination || pattern[i] == kNoCell) found.push_back(0);
        continue;
      }
      const std::size_t direction = kArrows.find(line.text[i]);
      if (direction == std::string_view::npos)
        data.fail(line.number, fmt::format("'{}' is none of {}", line.text[i], kArrows));
      found.push_back(static_cast<std::uint8_t>(direction));
    }
  }
  if (result.trees == 0) data.fail(line.number, "a shape without trees");
  const unsigned cells = shape.cells();
  result.direction.resize(found.size());
  for (unsigned t = 0; t < result.trees; ++t)
    for (unsigned cell = 0; cell < cells; ++cell)
      result.direction[cell * result.trees + t] = found[t * cells + cell];
  return result;
}

/// Exchanges rows and columns: directions 0 and 1 (along dimension 0) become 2 and 3, and the
/// reverse.
ShapeTrees exchange(const ShapeTrees& trees, const PlaneShape& from) {
  ShapeTrees result = trees;
  for (unsigned cell = 0; cell < from.cells(); ++cell)
    for (unsigned t = 0; t < trees.trees; ++t)
      result.direction[exchanged_cell(from, cell) * trees.trees + t] =
          trees.direction[cell * trees.trees + t] ^ 2u;
  return result;
}

}  // namespace

std::vector<StoredTrees> list_shapes(std::string_view file, std::string_view text) {
  std::vector<StoredTrees> shapes;
  DataLines data(file, text);
  for (DataLine line; data.next(line);) {
    const std::vector<std::string_view> word = words(line.text);
    if (word.size() != 5 || word[0] != "shape")
      data.fail(line.number, "no shape and its four numbers of zones");
    const auto zones = [&](std::size_t i) {
      return static_cast<std::uint8_t>(data.number(line, word[i], kMostSideZones));
    };
    StoredTrees& shape = shapes.emplace_back();
    shape = {zones(1), zones(2), zones(3), zones(4), data.skip_to("shape "), line.number + 1};
  }
  return shapes;
}

TreeStore spftr_trees() {
  constexpr std::string_view kFile = "spftr/trees.txt";
  static const std::vector<StoredTrees> shapes = list_shapes(kFile, spftr_trees_text());
  return {kFile, shapes, Alternation::kDestinationLines, true};
}

TreeStore aspftr_trees() {
  constexpr std::string_view kFile = "aspftr/trees.txt";
  static const std::vector<StoredTrees> shapes = list_shapes(kFile, aspftr_trees_text());
  return {kFile, shapes, Alternation::kEverywhere, false};
}

TreeCatalog::TreeCatalog(const TreeStore& stored)
    : stored_(stored), place_(kPlaneShapes, kNone), read_(kPlaneShapes) {
  for (std::size_t i = 0; i < stored.shapes.size(); ++i)
    place_[shape_of(stored.shapes[i], stored.turns).index()] = static_cast<std::uint16_t>(i);
}

const ShapeTrees* TreeCatalog::find(const PlaneShape& shape) {
  ShapeTrees& known = read_[shape.index()];
  if (known.trees > 0) return &known;
  const PlaneShape other = exchanged(shape);
  if (place_[shape.index()] != kNone)
    known = read(stored_.file, stored_.shapes[place_[shape.index()]], stored_.turns);
  else if (stored_.exchangeable && place_[other.index()] != kNone)
    known =
        exchange(read(stored_.file, stored_.shapes[place_[other.index()]], stored_.turns), other);
  else
    return nullptr;
  return &known;
}

}  // namespace selvedge::spftr
