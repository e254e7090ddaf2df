// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interface of repairs: a fault, or a restoration, becomes a delta.
//
// A repair keeps indexes between faults: which destinations use a channel, how many routes make a
// turn. So the cost of a fault depends on what it broke, not on the size of the tables, and repairs
// are objects with state, unlike the rest of this room. Two repairs have this interface:
//
//   in_place.hpp   the same DLIDs and the same SLs; only next hops and SL2VL entries change
//   readdress.hpp  Montañana 2008 ch. 5 (RFTR): each broken path is replaced by a new one with a
//                  fresh LID of the destination's LMC range and possibly another SL
//
// The caller has every result proved by plugin/verify.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// As plugin/engines has it: per switch the channel to its parent, kNoChannel at roots.
using ParentChannels = std::vector<Channel>;

enum class RepairMode { kInPlace, kReaddress };

struct RepairRequest {
  RepairMode mode = RepairMode::kInPlace;
  unsigned max_vls = 8;   // 1…15
  unsigned max_sls = 16;  // 1…16
  /// In place: whether the whole tree of a LID is built again if a broken path can keep its SL only
  /// by that. If false, the broken path takes another SL and unbroken paths stay. (Exceptions:
  /// layered_repair.hpp, up_down_repair.hpp.)
  bool move_unbroken = true;
  /// Whether Repair::affected is counted in place on one VL. There a repair costs less than
  /// counting the broken paths.
  bool count_affected = true;
};

/// From this source switch the destination must be addressed by another LID or SL than before: open
/// connections must query a new path record.
struct Readdressed {
  SwitchId source;
  Lid before, after;
  Sl sl_before, sl_after;
  friend bool operator==(const Readdressed&, const Readdressed&) = default;
};

struct Repair {
  Delta delta;  // from the tables in force before to those after
  /// The multicast tree after the repair; nullopt if there was none or none is deadlock free.
  std::optional<ParentChannels> multicast;
  std::vector<Readdressed> readdressed;
  /// The number of (switch with hosts, LID) without a path though physically connected.
  std::uint64_t dead = 0;
  /// The number of (switch with hosts, LID) whose path the fault broke, if requested.
  std::uint64_t affected = 0;
  /// The number of (switch with hosts, LID) whose unbroken path was changed, or its SL.
  std::uint64_t moved = 0;
  /// The method, a line for logs: "flip, strict", "detours", "subtree reattached".
  std::string method;
};

}  // namespace selvedge
