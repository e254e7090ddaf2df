// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A pair's paths drawn over the whole fabric, as one SVG document. Tori and meshes are laid out by
// their coordinates (in 3D plane beside plane, links between planes drawn faintly). Trees
// (tree_form.hpp) are laid out by their levels, with the hosts below. Any other fabric lies in
// columns by the distance from the source's switch. The disjoint paths are drawn bold; of LIDs with
// the same path only the first one's is drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/route/pair.hpp"

namespace selvedge::route {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Layout {
  std::vector<Point> at;  // per switch, in units of a cell
  double width = 0, height = 0;
  std::vector<unsigned> plane;  // per switch, in 3D and beyond: which plane it lies in
};

Layout lay_out(const Fabric& fabric, SwitchId source);

/// A highlighted line between two switches.
struct Mark {
  SwitchId a = kNoSwitch, b = kNoSwitch;
  const char* colour = "";
  bool dashed = false;
};

/// The fabric alone, with the number of hosts at each switch; the more cables, the wider a line.
std::string draw_network(const Fabric& fabric, const std::string& title,
                         const std::vector<Mark>& marks);

/// The text escaped for an SVG document.
std::string escaped(std::string_view text);

std::string draw_paths(const Fabric& fabric, const Node& source, const Node& destination,
                       const std::vector<PairPath>& paths);

}  // namespace selvedge::route
