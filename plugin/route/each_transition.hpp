// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `transition --each` reports. Every single fault of a fabric is repaired in place, and every
// state on the way to the repaired tables is checked. With the guard (plugin/transition/guard.hpp),
// the tables are sent as the plugin sends them. Without it, two other orders of sending are also
// checked, which any subnet manager might choose.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/command_line.hpp"
#include "base/progress.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge::route {

struct EachFaultRequest {
  FaultKind of = FaultKind::kLinks;
  bool guard = true;
  bool lossless = false;  // what fails still works at first, because it is being drained
  bool states = false;    // without the guard: whether to check each state on the way
  unsigned jobs = 1;
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::optional<ReplyGrade> replies = {};  // the ReplyGrade that the repaired tables must have
};

struct EachFaultResult {
  std::uint64_t faults = 0;   // number of faults that were tried
  std::uint64_t guarded = 0;  // faults for which there is a guard before and after
  std::uint64_t unsafe = 0;   // faults with a mixture on the way, as sent, that may deadlock
  /// Faults with a mixture in which some DLID loops. Unless it may deadlock, an SL2VL row drops the
  /// looping packets.
  std::uint64_t looping = 0;
  std::uint64_t rows = 0, blocks = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(SendPlan::Method::kWindow) + 1> methods{};
  std::size_t phases = 0, most_phases = 0;
  double guard_ms = 0, plan_ms = 0, prove_ms = 0;

  std::uint64_t lossless = 0;  // if `lossless` is asked: faults without a lost packet
  std::uint64_t graded = 0;    // if `replies` is set: faults after which the tables have the grade

  // Without the guard, the number of faults with a cycle of dependencies: in some mixture, if all
  // is sent at once; of these, in some state, if switches near the fault are sent first; in some
  // mixture, if each DLID is sent from its destination outwards.
  std::uint64_t cyclic_at_once = 0, cyclic_states = 0, cyclic_downstream = 0;

  std::string no_guard_reason;          // why the first fault without a guard has none
  std::size_t unsafe_first = SIZE_MAX;  // number of the first unsafe fault…
  std::string witness;                  // …its failed elements, and the cycle
};

EachFaultResult prove_each_fault(const Subject& subject, const EachFaultRequest& question,
                                 Progress& progress);

/// Whether no state may deadlock, no packet is lost (if `question.lossless`), and the repaired
/// tables have the grade `question.replies` (if it is set).
bool holds(const EachFaultResult& e, const EachFaultRequest& question);

Json to_json(const EachFaultResult& e, const EachFaultRequest& question, const std::string& engine);
void print_sheet(const EachFaultResult& e, const EachFaultRequest& question, Output& output);

}  // namespace selvedge::route
