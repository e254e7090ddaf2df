// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path: the repair that a trap starts, long before the subnet manager's heavy sweep has
// rediscovered the fabric.
//
//   locate → repair → prove → order (repair_step.hpp) → send, confirm (table_writer.hpp)
//
// The same trap also starts a heavy sweep. After a repair that sweep finds the fabric for which the
// present tables were proved, and has nothing to send but multicast trees. Writes that the fast
// path could not confirm, and changes that it cannot handle, are left to the sweep.
//
// A RepairController is called by one thread at a time. The thread holds the WriterLock in every
// call that writes.
#pragma once

#include <optional>
#include <span>

#include "plugin/control/environment.hpp"
#include "plugin/control/flap_damper.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

/// Cables and switches of `plan` that a sweep has found lost, without a trap.
struct LostLinks {
  std::shared_ptr<const Plan> plan;
  Fault fault;
};

class RepairController {
 public:
  RepairController(const ControlEnvironment& environment, SmpTransport& smps)
      : environment_(environment), smps_(smps) {}

  /// Prepares for the next fault: makes the indexes of the repair, and the proof of the plan in
  /// force (whose tables the switches hold), unless they exist already.
  void prepare();
  /// The plan for which a repair is prepared, or null.
  const Plan* ready_for() const { return ready_ ? ready_->plan.get() : nullptr; }
  /// Drops the indexes and the proof that prepare() has made.
  void forget() { ready_.reset(); }

  /// Handles traps 128 and 144: ports have changed at the switches with the LIDs `issuers`. Locates
  /// what is down and repairs the tables. Requires ready_for() != null.
  void handle_traps(std::span<const Lid> issuers);
  void repair_lost(const LostLinks& lost);
  /// Routes over restored components: a mended cable, a switch that is up again, a component that
  /// was undrained. The new paths are proved first. In a small fabric (kLosslessEntriesMax in
  /// repair_step.cpp) an order of sending without packet loss is looked for. The next sweep has
  /// nothing to write but the multicast trees.
  void route_restored(const RestoredLinks& restored);

  /// Sends a prepared order's change. kStale: the plan in force (whose tables the switches hold) is
  /// not the one from which the change was prepared; nothing was written. kRefused: the subnet
  /// manager's copies of the tables are not those of the plan in force, switches have not confirmed
  /// all of these, or another plan came into force while the change was sent. Throws
  /// EnvironmentError if no SMP can be sent, or if names to be drained cannot be stored.
  enum class Outcome { kDone, kStale, kRefused };
  Outcome carry_out(PreparedChange& prepared);

  /// Whether path lengths should now be compared with those of recomputed tables
  /// (Order::Kind::kShorten). True once for each repaired plan, after it has been in use for
  /// DriftSettings::quiet_s seconds.
  bool length_check_due();
  /// Whether an order kCompleteRepair should be prepared now, because the plan has dark LIDs
  /// (packets of some host do not arrive) or a lost ReplyGrade. True once for each such plan, and
  /// once more if drains are allowed since, or no longer (SmpSettings::drain): for the same tables
  /// nothing else changes which orders of writes are proved.
  bool completion_due();
  /// Whether an order kReaddress should be prepared now, because a fault has broken paths of pairs
  /// that have no fresh LID (fresh_lids.hpp). True once for each such plan.
  bool readdress_due();
  /// Whether an order kReturnLids should be prepared now: fresh LIDs have paths, and the fabric has
  /// been whole for ControlSettings::keep_fresh(). True once for each such plan.
  bool return_due();
  /// Makes completion_due() examine the same plan again, because the order was not carried out.
  void completion_again() { examined_.reset(); }

 private:
  /// `began`: when the handling of the trap began.
  void repair(const Fault& fault, double locate_ms, Instant began);
  bool write_base_lids(const Change& change, const std::string& what, double locate_ms);
  void record(RoutingEvent::Kind kind, const std::string& what, const Change& change,
              const Written& written, Instant began);
  bool still_there(const RestoredLinks& restored);
  void damp(const Fabric& fabric, const Fault& fault);
  StepContext context() const;
  Written write(const Change& change, bool& in_force);

  const ControlEnvironment environment_;
  SmpTransport& smps_;
  std::optional<PreparedRepair> ready_;
  std::shared_ptr<const Plan> compared_;     // the last plan whose path lengths were compared
  std::shared_ptr<const Plan> examined_;     // the last plan that completion_due() has examined
  bool examined_may_drain_ = true;           // whether drains were allowed then
  std::shared_ptr<const Plan> readdressed_;  // likewise readdress_due()
  std::shared_ptr<const Plan> returned_;     // the last plan for which return_due() was true
  /// The plan in force, if switches have not confirmed all of its tables; a sweep puts another plan
  /// in its place.
  std::shared_ptr<const Plan> unconfirmed_;
  Instant changed_at_{};  // when the plan in force last changed
  FlapDamper flap_damper_;
};

}  // namespace selvedge
