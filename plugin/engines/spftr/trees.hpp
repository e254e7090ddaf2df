// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The stretched trees (spftr/zones.hpp) of every shape, for SPFTR and A-SPFTR. They were found once
// by SAT (tools/spftr), since that takes seconds to minutes a shape. The trees are not trusted. The
// engines derive for each switch and tree which SLs its path may use, and find another path if
// there are none. The tests prove all tori up to 20×20 with the verifier.
//
// trees.txt beside this file has SPFTR's, ../aspftr/trees.txt A-SPFTR's; each describes its format.
// A direction is a kind of arc of spftr/tables.hpp.
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
  unsigned first_line;  // number of their first line in the file
};

struct TreeStore {
  std::string_view file;
  std::span<const StoredTrees> shapes;
  Alternation turns;
  /// Whether the SL2VL table is the same with rows and columns exchanged. Then only one of two
  /// exchanged shapes is stored.
  bool exchangeable;
};
/// The two files, as embedded at build time.
std::string_view spftr_trees_text();
std::string_view aspftr_trees_text();
/// The shapes of such a text, which must outlive them; their trees are read on first use. Throws
/// std::logic_error, with the file's name, if the text has another format.
std::vector<StoredTrees> list_shapes(std::string_view file, std::string_view text);
/// The shapes of the two files, listed at the first call.
TreeStore spftr_trees();
TreeStore aspftr_trees();

struct ShapeTrees {
  unsigned trees = 0;
  std::vector<std::uint8_t> direction;  // [cell][tree]
};

/// The trees by shape; each is read from its text on first use.
class TreeCatalog {
 public:
  explicit TreeCatalog(const TreeStore& stored);
  /// The shape of a torus as seen from a destination; find() gives the trees of that shape.
  PlaneShape shape(const Line& rows, const Line& columns) const {
    return {shape_of(rows), shape_of(columns), stored_.turns};
  }
  /// Null if there are none, because a dimension is too small. Throws std::logic_error if the
  /// file's trees do not fit this shape.
  const ShapeTrees* find(const PlaneShape& shape);

 private:
  TreeStore stored_;
  std::vector<std::uint16_t> place_;  // per shape, index into the stored ones; or kNone
  std::vector<ShapeTrees> read_;      // per shape
};

}  // namespace selvedge::spftr
