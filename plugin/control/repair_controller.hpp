// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path: the repair that a trap starts, long before the subnet manager's heavy sweep has
// rediscovered the fabric.
//
//   locate → repair → prove → order (repair_step.hpp) → send, confirm (table_writer.hpp)
//
// The same trap also starts a heavy sweep. That sweep finds the fabric that the tables in force
// were proved for, and has nothing to send. The fast path leaves to the sweep what it could not
// confirm and what it cannot handle.
//
// Called by one thread at a time, which holds the WriterLock in every call that writes.
#pragma once

#include <optional>
#include <span>

#include "plugin/control/environment.hpp"
#include "plugin/control/flap_damper.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

/// What a sweep has found lost of the plan in force, without a trap.
struct LostLinks {
  std::shared_ptr<const Plan> plan;
  Fault fault;
};

class RepairController {
 public:
  RepairController(const ControlEnvironment& environment, SmpTransport& smps)
      : environment_(environment), smps_(smps) {}

  /// Before a fault: makes the indexes of the repair and the proof of the plan in force.
  void prepare();
  /// The plan that is prepared for a fault, or null.
  const Plan* ready_for() const { return ready_ ? ready_->plan.get() : nullptr; }
  /// Drops what prepare() has made.
  void forget() { ready_.reset(); }

  /// Traps report changed ports at the switches with these LIDs. Requires ready_for() != null.
  void handle_traps(std::span<const Lid> issuers);
  void repair_lost(const LostLinks& lost);
  /// Takes into use what has come back: a mended cable, a switch that is up again, what was
  /// undrained. The new paths are proved first. In a small fabric a lossless order of sending is
  /// looked for (kLosslessEntriesMax). The next sweep writes the multicast trees, and has nothing
  /// else to write.
  void route_restored(const RestoredLinks& restored);

  /// `kStale`: the plan in force is not the one that the change was prepared from. `kRefused`: the
  /// subnet manager's copies of the tables are not those of the plan, or another plan has come into
  /// force while it was sent. Throws EnvironmentError.
  enum class Outcome { kDone, kStale, kRefused };
  Outcome carry_out(PreparedChange& prepared);

  /// Is a comparison of path lengths with a fresh plan due? True once for each repaired plan, when
  /// it has been in force for DriftSettings::quiet_s.
  bool length_check_due();

 private:
  void repair(const Fault& fault, double locate_ms);
  void damp(const Fabric& fabric, const Fault& fault);
  StepContext context() const;
  Written write(const Change& change, bool& in_force);

  const ControlEnvironment environment_;
  SmpTransport& smps_;
  std::optional<PreparedRepair> ready_;
  std::shared_ptr<const Plan> compared_;  // the last plan whose path lengths were compared
  Instant changed_at_{};                  // when the plan in force last changed
  FlapDamper flap_damper_;
};

}  // namespace selvedge
