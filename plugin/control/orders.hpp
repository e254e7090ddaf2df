// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Orders of the operator: take a component out of use before it is unplugged (drain), use it again
// (undrain), change to another engine's tables (reroute). The plugin gives itself six more
// orders. Restore: route over restored links, if the search for an order of writes takes long
// (restore_takes_long()). Shorten: recompute repaired tables whose paths have become long or
// uneven. Install: replace interim tables by those of the engine, once these are ready. Complete a
// repair: find routes for dark LIDs (dark_lids.hpp), and restore the grade of responses on the
// request's SL (ReplyGrade). Readdress: give spare LIDs new paths in place of those that a fault
// broke. Return LIDs: take these paths away (both: fresh_lids.hpp).
//
// An order is first prepared. This may take seconds on a large fabric; meanwhile faults are
// repaired and sweeps go on. The result is a change of the plan that was in force at the start. If
// that plan is still in force at the end, the change is carried out (RepairController::carry_out);
// else the order is prepared again.
#pragma once

#include <optional>

#include "plugin/control/environment.hpp"
#include "plugin/control/repair_step.hpp"

namespace selvedge {

struct Order {
  enum class Kind {
    kDrain,
    kUndrain,
    kReroute,
    kShorten,
    kInstall,
    kCompleteRepair,
    kReaddress,
    kReturnLids,
    kRestore
  };  // last 6: the plugin's
  Kind kind = Kind::kDrain;
  std::vector<std::string> words;  // names of switches and cables; kReroute: an engine
  bool with_hosts = false;         // kDrain: hosts at drained switches go out of service with them
  bool proved_order_only = false;  // kDrain: refused if no order of writes is proved
};

struct PreparedChange {
  std::shared_ptr<const Plan> before;
  std::optional<Change> change;        // nullopt if there is nothing to be sent
  std::optional<PreparedRepair> next;  // the repair of a fault after the change
  std::vector<std::string> drained;    // names of components that sweeps exclude after the change
  std::size_t hosts_drained = 0;       // hosts at drained switches, which are out of service now
  std::string engine;                  // the engine of sweeps after the change; "" = as before
  std::shared_ptr<const RestoredLinks> restored;  // kRestore
  double longer_percent = 0;  // kShorten: by how much paths are longer than recomputed ones
  double slower_percent = 0;  // kShorten: by how much the EBB is lower than that of recomputed ones
  double computed_ms = 0;     // kInstall: how long the engine and its proof took
  Written written;            // valid once the change is carried out
};

/// Prepares any order but undrain. `state`: the prepared repair of the plan in force (the plan
/// whose tables the switches hold). Throws InputError with the reason if the order cannot be
/// carried out.
PreparedChange prepare_order(const Order& order, PreparedRepair state,
                             const ControlEnvironment& environment);

/// What becomes of an order kCompleteRepair that was not carried out.
struct Incomplete {
  std::string line;            // for the log; "" if nothing is left to complete
  bool left_to_sweep = false;  // whether a sweep replaces the tables in force
};

/// To be called if an order kCompleteRepair failed because of `why`. Tables below the grade of
/// responses that the settings demand (Plan::demanded) must not stay: this requests a sweep that
/// replaces them, in the subnet manager's order of writes.
Incomplete give_up_completion(const std::string& why, const ControlEnvironment& environment);

/// The report of an order that was carried out.
struct OrderReport {
  std::string line;    // for the log; "" = none
  std::string answer;  // a JSON document for the client
};
OrderReport report_order(const Order& order, const PreparedChange& done);
/// The routing event of an order that was carried out; nullopt if nothing was changed. `ms` stays
/// 0.
std::optional<RoutingEvent> event_of(const Order& order, const PreparedChange& done);

/// Undrains the components with these names, or all if there are no names. Requests a sweep, which
/// treats them like restored links. Returns the JSON document for the client. Throws InputError if
/// a name is not drained.
std::string undrain(const std::vector<std::string>& words, const ControlEnvironment& environment);

/// The JSON document {"error": …} for an order that cannot be carried out. `status`: the exit
/// status of the client program.
std::string order_error(int status, const std::string& what, const std::string& where,
                        const std::string& remedy);

}  // namespace selvedge
