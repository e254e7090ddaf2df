// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What has happened to routing, as a value and as a line of JSON, for operators' programs: the
// event log, hook scripts and the metrics. (event.hpp has the fine-grained events of the timeline.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "plugin/control/change.hpp"

namespace selvedge {

struct RoutingEvent {
  enum class Kind : std::uint8_t {
    kSweep,           // a sweep has computed tables
    kDeclined,        // a sweep has computed none: OpenSM calls its next engine
    kChange,          // a sweep has found components that are new or gone
    kRepair,          // a fault was repaired by the fast path
    kRepairFailed,    // a fault could not be repaired; the sweep handles it
    kRestored,        // the fast path has routed over restored links
    kHeld,            // a cable that flaps is held out of use
    kReleased,        // held cables are no longer excluded
    kDrained,         // an order has taken components out of use
    kUndrained,       // an order has put components back into use
    kRerouted,        // an order has installed another engine's tables
    kDarkLidsRouted,  // LIDs that a repair had left without a route have one
    kShortened,       // repaired tables were replaced by recomputed ones
    kErrors,          // a cable exceeds a limit of errors
    kInstalled,       // interim tables were replaced by those of the engine
    kReaddressed,     // fresh LIDs have got paths: pairs should ask for path records again
    kLidsReturned,    // fresh LIDs have no paths any more
  };
  Kind kind = Kind::kSweep;
  std::string what;    // one line for the operator
  std::string engine;  // the engine that made the tables; "" = not about tables
  bool same = false;   // kSweep: the tables are those of the sweep before
  bool proved = true;  // the tables, and every mixture of old and new ones that may occur meanwhile
  bool groups_paused = false;  // some members of multicast groups received no packets meanwhile
  bool written = true;         // every switch was found to hold what was written
  /// What the fast path has written. kSweep: the LFT entries that differ from those of before, and
  /// the blocks that hold one (OpenSM may send more); no rows.
  std::uint64_t entries = 0, blocks = 0, sl2vl_rows = 0;
  double ms = 0;  // how long it took, from the trap or the order until it was read back
  /// The plans before and after; null if there is none. `lost`: components that only `before` uses.
  std::shared_ptr<const Plan> before, after;
  Fault lost;
  /// Pairs that had no path until this was done (pairs_without_path.hpp). The observer that records
  /// the event counts them, because that takes longer than a repair may.
  std::uint64_t pairs_without_path = 0;
};

/// An event without a change of tables.
RoutingEvent event_of(RoutingEvent::Kind kind, std::string what);
/// The event that a change was sent; `ms` stays 0.
RoutingEvent event_of(RoutingEvent::Kind kind, std::string what, const Change& change,
                      const Written& written);

/// Names of the kinds, as in the log of events: "repair", "repair_failed", …
std::string_view name(RoutingEvent::Kind kind);

/// How many switches work, and how many hosts have a cable. (A plan's fabric also has failed ones.)
std::uint64_t working_switches(const Fabric& fabric);
std::uint64_t attached_hosts(const Fabric& fabric);

/// Whether operators are informed of the event: of all but sweeps that change nothing.
bool is_news(const RoutingEvent& event);

/// The event as one line of JSON that ends with a newline. `time`: UTC, ISO 8601.
std::string event_line(const RoutingEvent& event, const std::string& time);

}  // namespace selvedge
