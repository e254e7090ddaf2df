// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/repair: what becomes of tables when something of their fabric is lost. This much of it is
// there: detours.
//
// With disjoint paths in the switches a fault takes away some paths and leaves others. Nothing that
// still works has to change; what does not is led around the fault, LID by LID. A switch from which
// a LID is no longer reached takes another next hop, so that its packets come to a switch whose
// path still works (or has been led around already); every other entry stays, and with it every
// path that avoided the fault, with its SL.
//
// Is it safe? The dependencies of channels that the surviving tables have are known, and a detour
// is taken only if those of its path leave the graph acyclic together with all others
// (dependency_order.hpp). The SL of a broken path stays if it can, so that connections that are
// open need not ask again; if none of the possible next hops goes with it, another SL is taken.
// Whoever calls this proves the result as any other (plugin/verify); it shares no code with that.
//
// Where a base LID has no safe detour from some switch, it takes another LID's paths as they are,
// from everywhere: the one case in which paths move that the fault did not touch.
//
// Departure from engines: the detours of a pair need not be disjoint from its other paths.
#pragma once

#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// As plugin/engines has it: per switch the channel to its parent, kNoChannel at roots.
using ParentChannels = std::vector<Channel>;

struct Detours {
  Tables tables;
  /// Nothing: there was none, or none can be found that is safe together with the tables.
  std::optional<ParentChannels> multicast;
  std::uint64_t entries = 0;  // LFT entries that now lead another way
  std::uint64_t dead = 0;     // (switch, LID) without a path, though there is one physically
  std::uint64_t sls = 0;      // (switch, LID) whose SL is another now
  /// Base LIDs that could not be led around from everywhere and took the paths and SLs of another
  /// LID of their host, from all switches.
  std::uint64_t taken_over = 0;
  /// Is every host reached by its base LID from every host that is physically connected with it?
  bool whole = true;
};

/// `tables` and `multicast` in the terms of `fabric`, which has lost something since they were made
/// (entries, and the tree's channels, may lead to ports without a cable). Where the tables had no
/// path to begin with they get none. Nothing if what is left of the tables has a cycle of
/// dependencies.
std::optional<Detours> lead_around(const Fabric& fabric, const Tables& tables,
                                   const std::optional<ParentChannels>& multicast);

/// Has `after` nothing that `before` had not: switches, cables, hosts in their places with their
/// LIDs, by GUIDs?
bool only_lost(const Fabric& before, const Fabric& after);

}  // namespace selvedge
