// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises regular topologies in a bare graph, by its cables alone: names, GUIDs, port numbers and
// the order of the nodes are not looked at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct Regularity {
  enum class Kind { kNone, kTorus, kMesh, kTree };
  Kind kind = Kind::kNone;

  // Torus and mesh: sizes in descending order, the fewest dimensions that fit (sizes of 1 dropped).
  std::vector<unsigned> sizes;
  /// Per switch, its position, one number a dimension: coordinates[s * sizes.size() + i].
  std::vector<std::uint16_t> coordinates;

  // k-ary n-tree.
  unsigned k = 0, n = 0;
  std::vector<std::uint8_t> level;  // per switch; 0 at the hosts

  /// Cables that the regular form has and the fabric lacks, by switches.
  std::vector<std::pair<SwitchId, SwitchId>> missing;
  /// Cables that the fabric has and the regular form does not (channels).
  std::vector<Channel> surplus;
  /// What looks miscabled, a line each: "cable S-1-1:4 – S-2-2:3 should go to S-1-2".
  std::vector<std::string> suspicions;

  bool regular() const { return kind != Kind::kNone; }
  bool complete() const { return missing.empty() && surplus.empty(); }
  /// "torus 6x6", "4-ary 3-tree, 2 links missing", "irregular".
  std::string describe() const;
};

Regularity recognise(const Fabric& fabric);

}  // namespace selvedge
