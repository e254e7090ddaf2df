// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The common part of both repairs: each turns a fault, or a restoration, into a delta of the
// tables.
//
// A repair keeps indexes between faults: which destinations use a channel, how many routes make a
// turn. So the cost of a fault depends on how many paths it broke, not on the size of the tables.
// For this reason repairs are objects with state. The two repairs:
//
//   in_place.hpp   the same DLIDs and the same SLs; only next hops and SL2VL entries change
//   readdress.hpp  Montañana 2008 ch. 5 (RFTR): each broken path is replaced by a new one with
//                  another LID of the destination's LMC range and possibly another SL
//
// The caller has every result proved by plugin/verify.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// The multicast tree as in plugin/engines: per switch the channel to its parent in the tree,
/// kNoChannel at roots.
using ParentChannels = std::vector<Channel>;

enum class RepairMode { kInPlace, kReaddress };

/// An SL and a VL that only base LIDs have (separate_base.hpp).
struct ReservedLane {
  Sl sl = 0;
  Vl vl = 0;
  friend bool operator==(const ReservedLane&, const ReservedLane&) = default;
};

struct RepairRequest {
  RepairMode mode = RepairMode::kInPlace;
  unsigned max_vls = 8;   // 1…15
  unsigned max_sls = 16;  // 1…16
  /// In-place repair: whether unbroken paths may move. If true, all switches' paths to a LID may be
  /// built again where a broken path could not keep its SL otherwise. If false, the broken path
  /// takes another SL. (layered_repair.hpp and up_down_repair.hpp name the exceptions.)
  bool move_unbroken = true;
  /// In-place repair on several VLs or SLs: whether a path that no SL in use can serve may take an
  /// SL that no path uses. All SL2VL entries of that SL may be set, so it can take any VL anywhere.
  bool spare_sl = false;
  /// In-place repair on one VL: whether to count Repair::affected. Counting costs more than that
  /// repair itself.
  bool count_affected = true;
  /// Of in-place repair on several VLs, and of fresh_paths.hpp: paths to other LIDs do not take
  /// this SL and VL.
  std::optional<ReservedLane> base_lane = std::nullopt;
};

/// From the switch `source`, a destination must be addressed by another LID or SL than before. So
/// its open connections must query a new path record.
struct Readdressed {
  SwitchId source;
  Lid before, after;
  Sl sl_before, sl_after;
  friend bool operator==(const Readdressed&, const Readdressed&) = default;
};

struct Repair {
  Delta delta;  // from the tables before the repair to the tables after it
  /// The multicast tree after the repair; nullopt if there was none or none is deadlock free.
  std::optional<ParentChannels> multicast;
  std::vector<Readdressed> readdressed;
  /// The number of (switch with hosts, LID of a host) without a path though physically connected.
  /// RFTR counts hosts instead of LIDs. In-place repair counts in fail() only LIDs to which that
  /// fault broke a path.
  std::uint64_t dead = 0;
  /// The number of (switch with hosts, LID of a host) whose path the fault broke, if requested.
  /// RFTR also counts LIDs of switches.
  std::uint64_t affected = 0;
  /// In-place repair: the number of (switch with hosts, LID of a host at another switch) whose
  /// unbroken path, or its SL, the repair changed.
  std::uint64_t moved = 0;
  /// A line for logs that names the method, such as "flip, strict", "detours", "subtree
  /// reattached".
  std::string method;
};

}  // namespace selvedge
