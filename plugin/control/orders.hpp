// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the operator may order: to take something out of use before it is pulled (drain), to use it
// again (undrain), to go over to another engine's tables (reroute). And one thing that nobody
// orders: repaired tables whose paths have become long are made anew (shorten).
//
// An order is first prepared, which may take seconds on a large fabric, while faults are repaired
// and sweeps go on; what comes of it is a change from the plan that it was prepared from. It is
// carried out if that plan is then still in force (RepairController::carry_out), else prepared
// again.
#pragma once

#include <optional>

#include "plugin/control/repair_step.hpp"
#include "plugin/control/surroundings.hpp"

namespace selvedge {

struct Order {
  enum class Kind { kDrain, kUndrain, kReroute, kShorten };  // the last by nobody's order
  Kind kind = Kind::kDrain;
  std::vector<std::string> words;  // names of switches and cables; an engine
};

struct PreparedChange {
  std::shared_ptr<const Plan> before;
  std::optional<Change> change;        // nothing: there is nothing to be sent
  std::optional<PreparedRepair> next;  // for the tables that the change leads to
  std::vector<std::string> drained;    // names, from then on
  std::string engine;                  // that sweeps ask from then on; "" = the same as before
  double longer_percent = 0;           // kShorten: today's paths than fresh ones
  Written written;                     // once it is carried out
};

/// Drain, reroute, shorten. Throws InputError: it can't be, and why.
PreparedChange prepare_order(const Order& order, PreparedRepair state, const Surroundings& around);

/// What to say once it is carried out: a line for the log, and a JSON document for who ordered it.
struct OrderReport {
  std::string line;  // "" = none
  std::string answer;
};
OrderReport report_order(const Order& order, const PreparedChange& done);

/// What comes back is taken into use by a sweep, as a cable that was plugged in is. Returns the
/// answer. Throws InputError: something of it is not drained.
std::string undrain(const std::vector<std::string>& words, const Surroundings& around);

/// {"error": …} for an order that can't be carried out; `status` is the exit status of its program.
std::string order_error(int status, const std::string& what, const std::string& where,
                        const std::string& remedy);

}  // namespace selvedge
