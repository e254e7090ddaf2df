// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/repair: tables whose fabric has lost cables or switches. This header: detours, for sweeps.
//
// A fault breaks some paths and leaves others. Paths that still work stay; broken ones are led
// around the fault, LID by LID. A switch that no longer reaches a LID takes a next hop whose path
// works or has already been led around. Every other entry stays, so every path that avoided the
// fault keeps its route and SL.
//
// A detour is taken only if its dependencies and those of all other paths form an acyclic graph
// (dependency_order.hpp). A broken path keeps its SL if any next hop allows it, so that open
// connections need no new path record; else it takes another SL. The caller proves the result
// (plugin/verify), which shares no code with this.
//
// If a base LID has no safe detour from some switch, it takes the paths of another LID of its host,
// from all switches. This is the only case in which unbroken paths move.
//
// Unlike the paths of engines, a detour need not be disjoint from the pair's other paths.
#pragma once

#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// As plugin/engines has it: per switch the channel to its parent, kNoChannel at roots.
using ParentChannels = std::vector<Channel>;

struct Detours {
  Tables tables;
  /// nullopt: there was none, or no tree is deadlock free together with the tables.
  std::optional<ParentChannels> multicast;
  std::uint64_t entries = 0;  // LFT entries that changed their port
  std::uint64_t dead = 0;     // (switch, LID) without a path, though connected
  std::uint64_t sls = 0;      // (switch, LID) whose SL changed
  /// Base LIDs that took the paths and SLs of another LID of their host, from all switches.
  std::uint64_t taken_over = 0;
  /// Whether every host is reached by its base LID from all hosts that are physically connected
  /// with it.
  bool all_hosts_reached = true;
};

/// `tables` and `multicast` use the ids of `fabric`, which has lost cables or switches since they
/// were made: entries and tree channels may lead to ports without a cable. Pairs without a path
/// before get none. Returns nullopt if the remaining paths have a cycle of dependencies.
std::optional<Detours> make_detours(const Fabric& fabric, const Tables& tables,
                                    const std::optional<ParentChannels>& multicast);

/// Whether `after` is a part of `before`: all its switches, cables and hosts (by GUID, with ports
/// and LIDs) exist in `before`.
bool only_removals(const Fabric& before, const Fabric& after);

}  // namespace selvedge
