// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a repair is, whoever makes it: a fault, or the return of what was lost, becomes a delta.
//
// A repair keeps its indexes between faults (which destinations use a channel, how many routes make
// a turn), so that a fault costs what it broke and not the size of the tables: it is therefore the
// one thing in this room with a state. Two ways of repairing have this form:
//
//   in_place.hpp   the same DLIDs and the same SLs; only next hops and SL2VL entries change
//   readdress.hpp  Montañana 2008 ch. 5 (RFTR): each broken path is replaced by a new one with a
//                  fresh LID of the destination's LMC range and, it may be, another SL
//
// Nothing here is believed: whoever asks for a repair has its result proved by plugin/verify.
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
  /// In place: where a broken path can keep its SL only if the whole tree of its LID is made anew,
  /// is it made anew? If not, the broken path alone takes another SL, and what did not break stays.
  /// (Where even that is no way: layered_repair.hpp, up_down_repair.hpp.)
  bool move_unbroken = true;
  /// In place on one VL, a fault costs what changes, and that is less than what it hits: is what it
  /// hits counted all the same, for Repair::affected?
  bool count_affected = true;
};

/// From this source switch the destination is to be asked for by another LID or SL than before:
/// connections that are open must resolve their path again.
struct Readdressed {
  SwitchId source;
  Lid before, after;
  Sl sl_before, sl_after;
  friend bool operator==(const Readdressed&, const Readdressed&) = default;
};

struct Repair {
  Delta delta;  // from the tables in force before to those after
  /// The multicast tree after; nothing if there was none or none is safe.
  std::optional<ParentChannels> multicast;
  std::vector<Readdressed> readdressed;
  /// (switch with hosts, LID) without a path though there is one physically.
  std::uint64_t dead = 0;
  /// (switch with hosts, LID) whose path the fault had broken, if it was to be counted.
  std::uint64_t affected = 0;
  /// (switch with hosts, LID) whose path worked all the same and goes another way, or on another
  /// SL, now.
  std::uint64_t moved = 0;
  /// How it was done, a line for logs: "flip, strict", "detours", "tree of LID 12 made anew".
  std::string method;
};

}  // namespace selvedge
