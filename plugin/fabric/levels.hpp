// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The levels of a fat tree, read from the cables and from where most hosts are. Every way of
// telling a fat tree (k-ary n-tree, folded Clos, XGFT) says the same: the switches stand in levels,
// most hosts at the lowest, cables only between levels. On real clusters some hosts are elsewhere:
// aggregation nodes on every switch, storage and gateways on a spine, a small switch for service
// nodes that hangs from the spines.
//
// Leaf switches. Those with at least half as many hosts as the switch of the median host. If two of
// these are cabled to each other, the bound rises to the next number of hosts that any switch has:
// a spine with many service nodes still has fewer than a leaf switch. It stops where the leaf
// switches would no longer have half of the hosts.
//
// Level. The distance to the nearest leaf switch. That is right for whatever hosts can pass
// through, and wrong for a switch that none of them needs: an idle or small leaf switch hangs from
// the switches above it and would count as one level above those. So a switch is *lowered* below
// all its neighbours if neither it nor anything above it joins what is not joined below: either
// subtrees, which is what hangs together using lower levels only, or, in what is left of a damaged
// or crossed tree, leaf switches that no single one of its children reaches (three quarters are
// enough to say that it does). Cables join levels of different parity, so never two of one level.
//
// Hints. The administrator can give roots (OpenSM's root_guid_file), compute nodes (cn_guid_file),
// and nodes that do not compute (io_guid_file). With roots a level is the distance from them,
// upside down; with compute nodes the switches that have one are the leaf switches.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct LevelHints {
  std::vector<SwitchId> roots;
  std::vector<HostId> compute;  // empty: not told
  std::vector<HostId>
      not_compute;  // these do not count as hosts where leaf switches are looked for

  bool empty() const { return roots.empty() && compute.empty() && not_compute.empty(); }
  friend bool operator==(const LevelHints&, const LevelHints&) = default;
};

struct Levels {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  /// Per switch: 0 at the leaf switches, below 0 for what hangs from these; kNone in a piece of the
  /// fabric without hosts.
  std::vector<std::int32_t> level;
};

/// A cable that no fat tree has: it joins two switches of one level.
struct LevelClash {
  Channel cable;
  std::uint32_t level;  // distance of both from the nearest leaf switch (or root)
  bool from_roots = false;
  bool from_compute = false;  // the leaf switches are those of given compute nodes
};

/// Nothing, and `clash` filled in, if the fabric has no levels. O(E·L/64), L leaf switches, for
/// each bound that is tried.
std::optional<Levels> find_levels(const Fabric& fabric, const LevelHints& hints, LevelClash& clash);

}  // namespace selvedge
