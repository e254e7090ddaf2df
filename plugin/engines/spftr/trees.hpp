// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The stretched trees (spftr/zones.hpp) of every shape, for SPFTR and A-SPFTR. They were found once
// by a SAT solver (tools/spftr), which takes seconds to minutes for each shape. The engines do not
// rely on the trees being right: for each switch and tree they compute which SLs the path may use,
// and find another path if there are none. The tests prove all tori up to 20×20 with the verifier.
//
// trees.txt beside this file has the trees of SPFTR, ../aspftr/trees.txt those of A-SPFTR; each
// file describes its format. A direction in them is a kind of arc of spftr/tables.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "plugin/engines/spftr/zones.hpp"

namespace selvedge::spftr {

struct StoredTrees {
  /// Numbers of zones (zones.hpp) on either side of the destination
  std::uint8_t rows_left, rows_right, columns_left, columns_right;
  std::string_view lines;  // lines of the file's text, one for each tree
  unsigned first_line;     // line number of the first of these lines in the file
};

struct TreeStore {
  std::string_view file;
  std::span<const StoredTrees> shapes;
  Alternation turns;
  /// Whether the SL2VL table is the same if rows and columns are exchanged. Then only one of two
  /// shapes that differ by this exchange is stored.
  bool exchangeable;
};
/// The text files of the precomputed trees of spftr and aspftr, as embedded at build time.
std::string_view spftr_trees_text();
std::string_view aspftr_trees_text();
/// The shapes in such a text, which must outlive them; their trees are read on first use. Throws
/// std::logic_error, with the file's name, if the text has another format.
std::vector<StoredTrees> list_shapes(std::string_view file, std::string_view text);
/// The shapes in these files, listed at the first call.
TreeStore spftr_trees();
TreeStore aspftr_trees();

struct ShapeTrees {
  unsigned trees = 0;
  std::vector<std::uint8_t> direction;  // [cell][tree]: a cell is a pair of zones
};

/// The trees of each shape; read from their text on first use.
class TreeCatalog {
 public:
  explicit TreeCatalog(const TreeStore& stored);
  /// The shape of a torus as seen from a destination; find() returns the trees for it.
  PlaneShape shape(const Line& rows, const Line& columns) const {
    return {shape_of(rows), shape_of(columns), stored_.turns};
  }
  /// The trees for this shape. Returns nullptr if there are none, because a dimension is too small.
  /// Throws std::logic_error if the trees in the file do not fit the shape.
  const ShapeTrees* find(const PlaneShape& shape);

 private:
  TreeStore stored_;
  std::vector<std::uint16_t> place_;  // per shape: index of the stored one, or kNone
  std::vector<ShapeTrees> read_;      // per shape: its trees, once read
};

}  // namespace selvedge::spftr
