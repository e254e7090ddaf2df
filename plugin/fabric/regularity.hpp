// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises regular topologies in a bare graph, by its cables alone: names, GUIDs and port numbers
// are not looked at; the order of the nodes decides only between equals (which corner is the
// origin, which dimension comes first) and the hosts only which end of a tree is the lower one.
//
// A fabric counts as regular while the cables that the form has and the fabric lacks, and likewise
// those that it has and the form doesn't, are no more than a tenth of the form's cables (but three
// are let pass, and never more than a sixth), and the switches that are absent or dead are no more
// than a twentieth (one is let pass from 15 on). Several cables between two switches count as one.
// Of the forms that fit, the one with the least damage wins, then the one with the fewest
// dimensions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Regularity {
  enum class Kind { kNone, kTorus, kMesh, kTree };
  Kind kind = Kind::kNone;

  // Torus and mesh: the fewest dimensions that fit (sizes of 1 dropped; a lone switch is a mesh of
  // size 1), slowest first: that along which a step moves the switch id furthest. Where the ids
  // follow no order, the sizes descend.
  std::vector<unsigned> sizes;
  /// Per switch, its position, one number a dimension: coordinates[s * sizes.size() + i]. They grow
  /// with the ids, where these follow an order, from 0 at the lowest: those of generated fabrics
  /// are the ones in the switches' names. Switches without cables stand in the places that nobody
  /// else has.
  std::vector<std::uint16_t> coordinates;

  // k-ary n-tree.
  unsigned k = 0, n = 0;
  std::vector<std::uint8_t> level;  // per switch; 0 at the hosts

  /// Cables that the regular form has and the fabric lacks, by switches.
  std::vector<std::pair<SwitchId, SwitchId>> missing;
  /// Cables that the fabric has and the regular form does not (channels).
  std::vector<Channel> surplus;
  /// How many of these are between two switches that have other cables.
  unsigned missing_links = 0;
  /// Switches of the form that the fabric lacks, or that have no cable.
  unsigned missing_switches = 0;
  /// What looks miscabled, a line each: "cable S-1-1:4 – S-2-2:3: S-1-1:4 should go to S-1-2".
  std::vector<std::string> suspicions;

  bool regular() const { return kind != Kind::kNone; }
  bool complete() const { return missing.empty() && surplus.empty() && missing_switches == 0; }
  /// "torus 6x6", "4-ary 3-tree, 2 links missing", "irregular". Counts missing_links, so that a
  /// missing switch isn't reported once for each of its cables.
  std::string describe() const;
};

Regularity recognise(const Fabric& fabric);

}  // namespace selvedge
