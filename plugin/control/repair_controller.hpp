// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path: what a trap sets off, long before the subnet manager's sweep has seen the whole
// fabric again.
//
//   locate → repair → prove → order (repair_step.hpp) → send, confirm (table_writer.hpp)
//
// The sweep follows by itself, since the trap set it off as well; it then finds the fabric that the
// tables in force were proved for, and nothing to send. What the fast path could not confirm, and
// all that it does not understand, it leaves to the sweep.
//
// One thread at a time, which has the WriterLock for all that writes.
#pragma once

#include <optional>
#include <span>

#include "plugin/control/flap_damper.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/control/smp_transport.hpp"
#include "plugin/control/surroundings.hpp"

namespace selvedge {

/// What a sweep has found lost, of the plan in force, and no trap told of it.
struct LostLinks {
  std::shared_ptr<const Plan> plan;
  Fault fault;
};

class RepairController {
 public:
  RepairController(const Surroundings& around, SmpTransport& smps) : around_(around), smps_(smps) {}

  /// Makes ready all that can be before a fault, for the plan in force.
  void prepare();
  /// The plan that it is ready for, or null.
  const Plan* ready_for() const { return ready_ ? ready_->plan.get() : nullptr; }
  /// What is ready is of no use any more.
  void forget() { ready_.reset(); }

  /// Something about the ports of the switches with these LIDs has changed. Only once it is ready.
  void handle_traps(std::span<const Lid> issuers);
  void take_out(const LostLinks& lost);
  /// What comes back: a cable that was mended, a switch that was switched on again, what is drained
  /// no more. The paths go over to it as for an order: proved first, no packet lost where there is
  /// such an order and the fabric is small enough to find it at once. The sweep after that writes
  /// the multicast groups' trees, and finds nothing else.
  void take_in(const RestoredLinks& restored);

  /// `kStale`: the tables in force are not those that it was prepared from. `kRefused`: the subnet
  /// manager's copies are not what they should be. Throws EnvironmentError.
  enum class Outcome { kDone, kStale, kRefused };
  Outcome carry_out(PreparedChange& prepared);

  /// Has a repaired plan been in force for long enough to be compared with a fresh one? Once for
  /// each plan.
  bool shortening_due();

 private:
  void repair(const Fault& fault, double locate_ms);
  void damp(const Fabric& fabric, const Fault& fault);
  StepContext context() const;
  Written write(const Change& change, bool& in_force);

  const Surroundings around_;
  SmpTransport& smps_;
  std::optional<PreparedRepair> ready_;
  std::shared_ptr<const Plan> compared_;  // the last plan whose path lengths were looked at
  Instant changed_at_{};                  // when the plan in force came
  FlapDamper flaps_;
};

}  // namespace selvedge
