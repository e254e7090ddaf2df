// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/repair changes tables whose fabric has lost cables or switches. This header makes detours
// from the tables alone, without indexes kept between faults, as a sweep of OpenSM needs them.
//
// A fault breaks some paths and leaves others. Paths that still work stay; broken paths are led
// around the fault, LID by LID. A switch that no longer reaches a LID takes a next hop whose path
// works or has already been led around the fault. Every other entry stays, so every path that
// avoided the fault keeps its route and SL.
//
// A detour is taken only if its dependencies and those of all other paths form an acyclic graph
// (dependency_order.hpp). A broken path keeps its SL if any next hop allows it, so that open
// connections need no new path record; else it takes another SL. The caller proves the result with
// plugin/verify, which shares no code with plugin/repair.
//
// If some switch has no safe detour to a base LID, the base LID takes the paths of another LID of
// its host, from all switches. This is the only case in which unbroken paths move.
//
// Unlike the paths of engines, a detour need not be disjoint from the pair's other paths.
#pragma once

#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The multicast tree as in plugin/engines: per switch the channel to its parent in the tree,
/// kNoChannel at roots.
using ParentChannels = std::vector<Channel>;

struct Detours {
  Tables tables;
  /// The repaired multicast tree. nullopt if there was none, or if no tree was found that is
  /// deadlock free together with the tables.
  std::optional<ParentChannels> multicast;
  std::uint64_t entries = 0;  // LFT entries set to detours; some lead to the same port as before
  std::uint64_t dead = 0;     // (switch, LID) without a detour, though physically connected
  std::uint64_t sls = 0;      // (switch, LID) whose SL changed for a detour
  /// Base LIDs that took the paths and SLs of another LID of their host, from all switches.
  /// `entries` and `sls` do not count these changes.
  std::uint64_t taken_over = 0;
  /// Whether every host is reached by its base LID from all hosts that are physically connected
  /// with it.
  bool all_hosts_reached = true;
};

/// `tables` and `multicast` use the ids of `fabric`, which has lost cables or switches since they
/// were made. So their entries and tree channels may lead to ports without a cable. A (switch, LID)
/// that had no path before the fault gets none. Returns nullopt if the dependencies of the unbroken
/// paths have a cycle.
std::optional<Detours> make_detours(const Fabric& fabric, const Tables& tables,
                                    const std::optional<ParentChannels>& multicast);

/// Whether `after` is a part of `before`: all its switches, cables and hosts (by GUID, with ports
/// and LIDs) exist in `before`.
bool only_removals(const Fabric& before, const Fabric& after);

}  // namespace selvedge
