// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The levels of a fat tree, read from the cables and from where most hosts are. All definitions of
// a fat tree (k-ary n-tree, folded Clos, XGFT) agree: switches have levels, most hosts are at the
// lowest one, and cables join only different levels. On real clusters some hosts are elsewhere:
// aggregation nodes on every switch, storage and gateways on a spine, service nodes on a small
// switch below the spines.
//
// Leaf switches. Take the median, over all hosts, of the number of hosts on a host's switch: a leaf
// switch has at least half of that. If the levels then clash (two switches of one level are
// cabled), the bound rises to the next number of hosts that any switch has: a spine with many
// service nodes still has fewer than a leaf switch. The search ends when the leaf switches would
// have less than half of the hosts.
//
// Level. The distance to the nearest leaf switch. That is right for switches that carry traffic
// between leaf switches, but wrong for a switch that does not: an idle or small leaf switch would
// be one level above the spines to which it is cabled. So a switch is *lowered* below all its
// neighbours if neither it nor a switch above it joins parts that are not joined below. Parts are
// either subtrees (connected by lower levels alone) or, in a damaged or crossed tree, leaf switches
// that no single child of the switch reaches. (A child that reaches three quarters of them counts
// as reaching all.) Cables join levels of different parity, so never two switches of one level.
//
// Hints. The administrator can give roots (OpenSM's root_guid_file), compute nodes (cn_guid_file),
// and nodes that do not compute (io_guid_file). With roots, levels descend with the distance from
// the roots. With compute nodes, the leaf switches are those that have one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct LevelHints {
  std::vector<SwitchId> roots;
  std::vector<HostId> compute;      // empty: not given
  std::vector<HostId> not_compute;  // do not count as hosts in the search for leaf switches

  bool empty() const { return roots.empty() && compute.empty() && not_compute.empty(); }
  friend bool operator==(const LevelHints&, const LevelHints&) = default;
};

struct Levels {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  /// Per switch: 0 for leaf switches, negative for switches below these; kNone in a connected
  /// component without hosts.
  std::vector<std::int32_t> level;
};

/// A cable that joins two switches of one level; a fat tree has none.
struct LevelClash {
  Channel cable;
  std::uint32_t level;  // distance of both from the nearest leaf switch (or root)
  bool from_roots = false;
  bool from_compute = false;  // the leaf switches are those with given compute nodes
};

/// If the fabric has no levels, returns nothing and fills in `clash`. O(E·L/64) for L leaf
/// switches; each bound that clashes costs another O(E).
std::optional<Levels> find_levels(const Fabric& fabric, const LevelHints& hints, LevelClash& clash);

}  // namespace selvedge
