// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The stretched trees (spftr/zones.hpp) of every shape, for SPFTR and A-SPFTR: found once by SAT
// (tools/spftr), since that takes seconds to minutes a shape. Nothing is believed because it stands
// here: the engines work out for each switch and tree which SLs its path may use, and find another
// way where there are none; the tests prove all tori up to 20×20 by the verifier.
//
// trees.txt beside this file has SPFTR's, ../aspftr/trees.txt A-SPFTR's; they say in what form. A
// direction is a kind of arc of spftr/tables.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "plugin/engines/spftr/zones.hpp"

namespace selvedge::spftr {

struct StoredTrees {
  std::uint8_t rows_left, rows_right, columns_left, columns_right;  // zones on either side
  std::string_view lines;                                           // a tree each
  unsigned first_line;                                              // its number in the file
};

struct TreeStore {
  std::string_view file;
  std::span<const StoredTrees> shapes;
  TakingTurns turns;
  /// Is the table the same with rows and columns exchanged? Then only one of two such shapes is
  /// kept.
  bool exchangeable;
};
/// The two files, as they were when the program was built.
std::string_view spftr_trees_text();
std::string_view aspftr_trees_text();
/// The shapes of such a text, which must outlive them; their trees are read when asked for. Throws
/// std::logic_error, with the file's name, if the text is none.
std::vector<StoredTrees> list_shapes(std::string_view file, std::string_view text);
/// Of the two files, listed when first asked for.
TreeStore spftr_trees();
TreeStore aspftr_trees();

struct ShapeTrees {
  unsigned trees = 0;
  std::vector<std::uint8_t> direction;  // [cell][tree]
};

/// The trees by shape, read from their text when first asked for.
class TreeBook {
 public:
  explicit TreeBook(const TreeStore& stored);
  /// As a destination sees its torus; the shape whose trees find() gives.
  PlaneShape shape(const Line& rows, const Line& columns) const {
    return {shape_of(rows), shape_of(columns), stored_.turns};
  }
  /// Null where there are none: a dimension is too small. Throws std::logic_error if what the file
  /// has are no trees of this shape.
  const ShapeTrees* find(const PlaneShape& shape);

 private:
  TreeStore stored_;
  std::vector<std::uint16_t> place_;  // per shape, into the stored ones; kNone
  std::vector<ShapeTrees> read_;      // per shape
};

}  // namespace selvedge::spftr
