// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Changes that a sweep finds are written in a proved order by the fast path, where it can, and not
// in the subnet manager's order:
//
//   lost      without a trap: the fast path takes it out before the sweep plans
//   restored  the sweep sets up its ports but leaves it out of its fabric; once the subnet is up,
//             the fast path leads paths over it
//
// This is the state that both need for that. Not thread-safe: the caller has a mutex.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/control/excluded_links.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

/// What a sweep has found in addition to the plan in force. The sweep left it out of its own plan,
/// so that the fast path takes it into use in a proved order.
struct RestoredLinks {
  std::shared_ptr<const Plan> plan;  // in force; its fabric has the ids of `fabric`
  Fabric fabric;                     // as discovered
};

class SweepChanges {
 public:
  SweepChanges() = default;
  explicit SweepChanges(ExcludedLinks excluded) : excluded_(std::move(excluded)) {}

  // --- One sweep, in this order

  /// Forgets what an earlier sweep deferred: this sweep has found it again, or it is gone.
  void begin_sweep();
  /// The fabric as discovered, without what is excluded and what the fast path has found lost
  /// since.
  Fabric in_service(const Fabric& seen) const;
  /// Takes out of `seen` what was restored since `plan` was made, and remembers it, if the tables
  /// in force serve the rest. A restored switch must be in the undamaged baseline.
  void defer_restored_links(const Plan& plan, Fabric& seen);
  /// The sweep has made this plan.
  void planned(const std::shared_ptr<const Plan>& plan);
  /// Discovery is complete: it has seen itself what the fast path had found lost.
  void discovered() { gone_.clear(); }
  void subnet_up() { due_ = true; }

  // --- The fast path

  /// What waits to be taken into use; null until the subnet is up. Further calls return the same
  /// until another plan is in force, a sweep plans, or one of the next two is called.
  std::shared_ptr<const RestoredLinks> restored() const { return due_ ? restored_ : nullptr; }
  /// Forgets it; the next sweep finds it again.
  void rediscover() { restored_.reset(); }
  /// The next sweep defers nothing, and takes into use itself what it finds.
  void leave_to_sweep();
  /// Another plan is in force, without the components named in `gone`. True: something waited to be
  /// taken into use; request a sweep, which finds it again.
  bool taken_over(const std::vector<std::string>& gone);

  /// As ExcludedLinks::drain(). True: something waited to be taken into use and may now be drained;
  /// request a sweep.
  bool drain(const std::vector<std::string>& names);
  ExcludedLinks& excluded() { return excluded_; }
  const ExcludedLinks& excluded() const { return excluded_; }

 private:
  ExcludedLinks excluded_;
  /// Names of what was lost since the last discovery ended: a sweep under way may have discovered
  /// it before it failed.
  std::vector<std::string> gone_;
  std::shared_ptr<const RestoredLinks> restored_;  // deferred by the last sweep
  bool due_ = false;                               // the subnet has come up since
  bool admit_ = false;                             // the next sweep defers nothing
};

}  // namespace selvedge
