// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises regular topologies by their cables alone; names, GUIDs and port numbers are not used.
// The order of the nodes only breaks ties: which corner is the origin, which dimension comes first.
// The hosts determine which end of a tree is the lower one. They also decide whether a fabric that
// is both a lattice (torus or mesh) and a tree counts as a tree.
//
// A fabric counts as regular if it differs from the regular form within these limits. Missing
// cables (of the form's cables): at most a tenth, or three, but never more than a sixth. Surplus
// cables, which the form does not have: likewise. Switches that are missing or have no cable: at
// most a twentieth, but one is tolerated if the form has 15 or more. Several cables between two
// switches count as one. Of the forms that fit, the one with the fewest differences is taken, then
// the one with the fewest dimensions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Regularity {
  enum class Kind { kNone, kTorus, kMesh, kTree };
  Kind kind = Kind::kNone;

  // For a torus or mesh: the sizes of the fewest dimensions that fit. (Sizes of 1 are dropped; a
  // single switch is a mesh of size 1.) The slowest dimension comes first: that in which a step
  // changes the switch id most. If the ids follow no order, the sizes descend.
  std::vector<unsigned> sizes;
  /// The position of each switch, one number for each dimension i: coordinates[s * sizes.size() +
  /// i]. If the ids follow an order, the coordinates ascend with the ids, from 0. In a generated
  /// fabric they are those in the switches' names. Switches without cables get the positions that
  /// no other switch has.
  std::vector<std::uint16_t> coordinates;

  // For a k-ary n-tree:
  unsigned k = 0, n = 0;
  std::vector<std::uint8_t> level;  // per switch: its level; level 0 has the hosts

  /// Cables that the regular form has and the fabric lacks, by their two switches.
  std::vector<std::pair<SwitchId, SwitchId>> missing;
  /// Cables that the fabric has and the regular form does not, by one channel.
  std::vector<Channel> surplus;
  /// The number of cables in `missing` between two switches that both have other cables.
  unsigned missing_links = 0;
  /// The number of switches that the regular form has and the fabric lacks, or that have no cable.
  unsigned missing_switches = 0;
  /// Cables that look wrongly connected, one line each: "cable S-1-1:4 – S-2-2:3: S-1-1:4 should go
  /// to S-1-2".
  std::vector<std::string> suspicions;

  bool regular() const { return kind != Kind::kNone; }
  bool complete() const { return missing.empty() && surplus.empty() && missing_switches == 0; }
  /// The form in words: "torus 6x6", "4-ary 3-tree, 2 links missing", "irregular". It counts
  /// missing_links, so that a missing switch is not reported once for each of its cables.
  std::string describe() const;
};

Regularity recognise(const Fabric& fabric);

}  // namespace selvedge
