// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a sweep finds changed goes into the switches in a proved order, not in the subnet manager's,
// as long as the fast path can do it:
//
//   lost      and no trap told of it: the fast path takes it out before the sweep plans
//   restored  the sweep sets up its ports but leaves it out of its fabric; once the subnet is up,
//             the fast path leads paths over it
//
// Here is what both must know for that. Not synchronised: the caller has a lock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/control/excluded_links.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

/// What a sweep has found beyond the plan in force and left out of its own, to be taken into use in
/// a proved order.
struct RestoredLinks {
  std::shared_ptr<const Plan> plan;  // in force, in the terms of…
  Fabric fabric;                     // …this, which has more
};

class SweepChanges {
 public:
  SweepChanges() = default;
  explicit SweepChanges(ExcludedLinks excluded) : excluded_(std::move(excluded)) {}

  // --- One sweep, in this order

  /// It discovers anew: what was restored before it sees again, or sees that it is gone.
  void begin_sweep();
  /// The fabric as discovered, without what is excluded and what the fast path has found gone
  /// since.
  Fabric in_service(const Fabric& seen) const;
  /// Takes out of `seen` what was restored since `plan` was made, and remembers it, if the tables
  /// in force serve the rest. Of a switch they must have known the LIDs before.
  void defer_restored_links(const Plan& plan, Fabric& seen);
  /// The sweep has planned.
  void planned(const std::shared_ptr<const Plan>& plan);
  /// The discovery that saw everything is complete: what is gone it has seen for itself.
  void discovered() { gone_.clear(); }
  void subnet_up() { due_ = true; }

  // --- The fast path

  /// What waits to be taken into use. Asked for again, it is there still, until another plan is in
  /// force, a sweep plans, or one of the next two is called.
  std::shared_ptr<const RestoredLinks> restored() const { return due_ ? restored_ : nullptr; }
  /// The next sweep finds it anew.
  void look_again() { restored_.reset(); }
  /// The next sweep takes into use by itself whatever it finds.
  void leave_to_sweep();
  /// Another plan is in force, without what `gone` names. True: something waited to be taken into
  /// use, and a sweep has to find it anew.
  bool taken_over(const std::vector<std::string>& gone);

  /// As ExcludedLinks. True: what waits to be taken into use may be what is drained now; a sweep
  /// has to look.
  bool drain(const std::vector<std::string>& names);
  ExcludedLinks& excluded() { return excluded_; }
  const ExcludedLinks& excluded() const { return excluded_; }

 private:
  ExcludedLinks excluded_;
  /// Lost since the last discovery ended, by their names: a sweep that is under way may have seen
  /// them alive.
  std::vector<std::string> gone_;
  std::shared_ptr<const RestoredLinks> restored_;  // left out by the last sweep
  bool due_ = false;                               // the subnet is up since
  bool admit_ = false;                             // the next sweep leaves nothing out
};

}  // namespace selvedge
