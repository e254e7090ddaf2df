// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The levels of a fat tree, derived from its cables and from where most hosts are. All definitions
// of a fat tree (k-ary n-tree, folded Clos, XGFT) agree that switches have levels, that most hosts
// are at the lowest level, and that cables connect only different levels. On real clusters some
// hosts are elsewhere: aggregation nodes on every switch, storage and gateways on a spine, service
// nodes on a small switch below the spines.
//
// Which switches are leaf switches: for every host take the number of hosts on its switch. A leaf
// switch has at least half of the median of these numbers. If the levels then clash (two switches
// of one level are cabled), the bound rises to the next higher number of hosts on any switch: a
// spine with many service nodes still has fewer hosts than a leaf switch. The search ends if less
// than half of the hosts would be on leaf switches.
//
// The level of a switch is its distance to the nearest leaf switch. That is right for switches that
// carry traffic between leaf switches. It is wrong for others: an idle or small leaf switch would
// be one level above the spines to which it is cabled. So a switch is *lowered* below all its
// neighbours if neither it nor a switch above it connects parts that are not connected below it.
// Parts are subtrees (connected by lower levels alone) or, in a damaged or wrongly cabled tree,
// leaf switches that no single child of the switch reaches. (A child that reaches three quarters of
// them counts as reaching all.) Cables connect only levels of different parity, so never two
// switches of one level.
//
// Hints: the administrator can name roots (OpenSM's root_guid_file), compute nodes (cn_guid_file),
// and nodes that do not compute (io_guid_file). With roots, the level of a switch is lower the
// farther it is from the roots. With compute nodes, only these count as hosts, and the bound is at
// first one.
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
  std::vector<HostId> not_compute;  // hosts that are ignored in the search for leaf switches

  bool empty() const { return roots.empty() && compute.empty() && not_compute.empty(); }
  friend bool operator==(const LevelHints&, const LevelHints&) = default;
};

struct Levels {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  /// Per switch: 0 for leaf switches (with given roots: for the level with most hosts), negative
  /// for switches below these. kNone in a component without hosts and given roots.
  std::vector<std::int32_t> level;
};

/// A cable between two switches of one level. A fat tree has none.
struct LevelClash {
  Channel cable;
  std::uint32_t level;  // distance of both ends from the nearest leaf switch (or root)
  bool from_roots = false;
  bool from_compute = false;  // whether leaf switches are those with given compute nodes
};

/// Finds the levels. Returns nullopt if a cable connects two switches of one level, so that the
/// fabric is no fat tree; `clash` then names that cable. The time is O(E·L/64) for E cables and L
/// leaf switches. Each further bound on the hosts of a leaf switch that must be tried costs another
/// O(E).
std::optional<Levels> find_levels(const Fabric& fabric, const LevelHints& hints, LevelClash& clash);

}  // namespace selvedge
