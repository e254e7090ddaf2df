// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Base LIDs that have an SL and a VL of their own. Engines with several VLs give base LIDs
// up*/down* paths on an SL that no other path has, and this SL has a VL that no other SL in use has
// (plugin/engines/reply_paths.hpp). Then packets to base LIDs share no buffer with other packets.
// So the base LIDs are a routing by themselves: it can be repaired, proved and sent before the
// paths to the other LIDs, as quickly as tables on one VL.
#pragma once

#include <optional>

#include "plugin/repair/repair.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The base LIDs' part of tables, as tables for one LID a host on one VL. Ids, ports and LIDs are
/// those of the whole.
struct SeparateBase {
  ReservedLane lane;
  Fabric fabric;  // each host has its base LID only, switches have no LID
  Tables tables;  // entries of base LIDs; all paths on SL 0 and VL 0
};

/// The base LIDs' part; nullopt if they share their SL with another path, or their VL with another
/// SL in use. SL 0 counts as in use, because multicast has it. O(LFT entries).
std::optional<SeparateBase> separate_base(const Fabric& fabric, const Tables& tables);

}  // namespace selvedge
