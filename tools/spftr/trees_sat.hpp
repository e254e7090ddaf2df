// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Stretched trees (plugin/engines/spftr/zones.hpp) by SAT (CaDiCaL): finds a set of a given number
// of trees in which every source has four disjoint paths, each in a tree of its own, and, as far as
// possible, some path in each other tree.
#pragma once

#include <optional>
#include <vector>

#include "tools/spftr/zone_paths.hpp"

namespace selvedge::spftr {

/// The paths that one source may use.
struct SourcePaths {
  std::vector<ZonePath> paths;
  std::vector<bool> disjoint;  // may be one of the four
};

struct Sample {
  SampleTorus torus;
  std::vector<unsigned> sources;
  std::vector<SourcePaths> offers;  // per source
};

struct Answer {
  /// [tree][cell]: a direction; 0 at the destination and in cells that no source's path needs.
  std::vector<std::vector<unsigned>> trees;
  bool proved_none = false;
  unsigned unreached = 0;  // sources that have no path in some tree
};

/// Searches for trees. All samples must be of one shape.
Answer find_trees(const std::vector<Sample>& samples, unsigned trees, double seconds);

}  // namespace selvedge::spftr
