// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises regular topologies by their cables alone: names, GUIDs and port numbers are not used.
// The order of the nodes only breaks ties (which corner is the origin, which dimension comes
// first). The hosts determine which end of a tree is the lower one. They also decide whether a
// fabric that is both a lattice and a tree is a tree.
//
// A fabric counts as regular within these limits. Cables that the form has and the fabric lacks: at
// most a tenth of the form's cables (but three are tolerated), and never more than a sixth. Cables
// that the fabric has and the form lacks: likewise. Switches that are absent or have no cable: at
// most a twentieth, but one is tolerated if the form has 15 or more. Several cables between two
// switches count as one. Of the forms that fit, the one with the least damage wins, then the one
// with the fewest dimensions.
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
  // size 1), slowest first: the dimension along which a step changes the switch id most. If the ids
  // follow no order, the sizes descend.
  std::vector<unsigned> sizes;
  /// Per switch, its position, one number a dimension: coordinates[s * sizes.size() + i]. If the
  /// ids follow an order, the coordinates grow with them from 0: those of generated fabrics are the
  /// ones in the switches' names. Switches without cables get the places that no other switch has.
  std::vector<std::uint16_t> coordinates;

  // k-ary n-tree.
  unsigned k = 0, n = 0;
  std::vector<std::uint8_t> level;  // per switch; 0 at the hosts

  /// Cables that the regular form has and the fabric lacks, by switches.
  std::vector<std::pair<SwitchId, SwitchId>> missing;
  /// Cables that the fabric has and the regular form does not (channels).
  std::vector<Channel> surplus;
  /// How many of `missing` are between two switches that both have other cables.
  unsigned missing_links = 0;
  /// Switches of the form that the fabric lacks, or that have no cable.
  unsigned missing_switches = 0;
  /// Cables that look wrongly connected, a line each: "cable S-1-1:4 – S-2-2:3: S-1-1:4 should go
  /// to S-1-2".
  std::vector<std::string> suspicions;

  bool regular() const { return kind != Kind::kNone; }
  bool complete() const { return missing.empty() && surplus.empty() && missing_switches == 0; }
  /// "torus 6x6", "4-ary 3-tree, 2 links missing", "irregular". Counts missing_links, so that a
  /// missing switch isn't reported once for each of its cables.
  std::string describe() const;
};

Regularity recognise(const Fabric& fabric);

}  // namespace selvedge
