// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Draws the paths of a pair over the whole fabric, as one SVG document. Tori and meshes are laid
// out by their coordinates (in 3D plane beside plane, with thin lines for links between planes).
// Trees (tree_form.hpp) are laid out by their levels, with the hosts below. In any other fabric,
// switches are in columns by their distance from the source's switch. The disjoint paths are bold.
// If several LIDs have the same path, it is drawn for the first one only.
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
  std::vector<unsigned> plane;  // per switch, from 3D on: its plane
};

Layout lay_out(const Fabric& fabric, SwitchId source);

/// A line between two switches that is drawn over the others.
struct Mark {
  SwitchId a = kNoSwitch, b = kNoSwitch;
  const char* colour = "";
  bool dashed = false;
};

/// Draws the fabric without paths, with the number of hosts at each switch. The more cables, the
/// wider a line.
std::string draw_network(const Fabric& fabric, const std::string& title,
                         const std::vector<Mark>& marks);

/// The text, escaped for an SVG document.
std::string escaped(std::string_view text);

std::string draw_paths(const Fabric& fabric, const Node& source, const Node& destination,
                       const std::vector<PairPath>& paths);

}  // namespace selvedge::route
