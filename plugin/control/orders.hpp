// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Orders of the operator: take a component out of use before it is unplugged (drain), use it again
// (undrain), change to another engine's tables (reroute). And two orders that nobody gives:
// recompute repaired tables whose paths have become long (shorten); replace interim tables by those
// of the engine, which are ready now (install).
//
// An order is first prepared. That may take seconds on a large fabric; meanwhile faults are
// repaired and sweeps go on. The result is a change of the plan in force at the start. If that plan
// is still in force, the change is carried out (RepairController::carry_out), else it is prepared
// again.
#pragma once

#include <optional>

#include "plugin/control/environment.hpp"
#include "plugin/control/repair_step.hpp"

namespace selvedge {

struct Order {
  enum class Kind { kDrain, kUndrain, kReroute, kShorten, kInstall };
  Kind kind = Kind::kDrain;
  std::vector<std::string> words;  // names of switches and cables, or an engine
};

struct PreparedChange {
  std::shared_ptr<const Plan> before;
  std::optional<Change> change;        // nullopt: there is nothing to be sent
  std::optional<PreparedRepair> next;  // prepared for the tables after the change
  std::vector<std::string> drained;    // names, excluded from then on
  std::string engine;                  // of sweeps from then on; "" = as before
  double longer_percent = 0;           // kShorten: paths in force than fresh ones
  double computed_ms = 0;              // kInstall: how long the engine and its proof took
  Written written;                     // once it is carried out
};

/// For all orders but undrain. Throws InputError with the reason if the order can't be carried
/// out.
PreparedChange prepare_order(const Order& order, PreparedRepair state,
                             const ControlEnvironment& environment);

/// The report of an order that was carried out: a line for the log, a JSON document for the client.
struct OrderReport {
  std::string line;  // "" = none
  std::string answer;
};
OrderReport report_order(const Order& order, const PreparedChange& done);

/// Undrains these names (none: all) and requests a sweep, which takes them into use like a new
/// cable. Returns the JSON answer. Throws InputError if a name is not drained.
std::string undrain(const std::vector<std::string>& words, const ControlEnvironment& environment);

/// {"error": …} for an order that can't be carried out; `status`: exit status for the client
/// program.
std::string order_error(int status, const std::string& what, const std::string& where,
                        const std::string& remedy);

}  // namespace selvedge
