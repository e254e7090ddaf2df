// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A sweep writes tables in the subnet manager's own order, which is not proved. So where possible
// the fast path (repair_controller.hpp) writes the changes that a sweep finds, in a proved order:
//
//   lost links      if no trap reported them: the fast path repairs the tables before the sweep
//                   computes its own
//   restored links  the sweep sets up their ports but leaves them out of its fabric. Once the
//                   subnet is up, the fast path leads paths over them
//
// Multicast trees are written by sweeps only. The fast path must know which ports groups may have
// until a sweep has replaced them (group_ports.hpp).
//
// SweepChanges is the state that sweep and fast path share for these purposes. Not thread-safe: the
// caller has a mutex.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/control/excluded_links.hpp"
#include "plugin/control/group_ports.hpp"
#include "plugin/control/plan.hpp"

namespace selvedge {

/// Cables and switches that a sweep has found in addition to the fabric of the plan in force (whose
/// tables the switches hold). The sweep left them out of its own plan, so that the fast path routes
/// over them in a proved order.
struct RestoredLinks {
  std::shared_ptr<const Plan> plan;  // the plan in force; its fabric has the ids of `fabric`
  Fabric fabric;                     // the fabric with the restored cables and switches
};

/// Whether the search for an order of writes over restored links takes so long that faults must not
/// wait for it: without a guard (plugin/transition/guard.hpp), in fabrics with more LFT entries
/// than `entries_max`. Then the links are routed over by an order (Order::Kind::kRestore).
inline constexpr std::size_t kRestoreAtOnceMax = 50'000;
bool restore_takes_long(const RestoredLinks& restored, std::size_t entries_max = kRestoreAtOnceMax);

class SweepChanges {
 public:
  SweepChanges() = default;
  explicit SweepChanges(ExcludedLinks excluded) : excluded_(std::move(excluded)) {}

  // --- Called by a sweep, in this order

  /// Forgets the links that an earlier sweep deferred: this sweep has found them again, or they are
  /// gone.
  void begin_sweep();
  /// The discovered fabric `seen` without excluded components, and without those that the fast path
  /// has found lost since discovery ended.
  Fabric in_service(const Fabric& seen) const;
  /// in_service(), for the sweep that discovered `seen`. Notes whether that leaves out a component
  /// because the fast path found it lost: it may have been mended before it was discovered.
  Fabric take_in_service(const Fabric& seen);
  /// Removes from `seen` the cables and switches that were restored since `plan` was made, if the
  /// tables of `plan` serve the rest. Keeps them for the fast path. Does nothing if a restored
  /// switch is not in the undamaged baseline.
  void defer_restored_links(const Plan& plan, Fabric& seen);
  /// Notes that the sweep has made this plan, whose tree it writes at its end.
  void planned(const std::shared_ptr<const Plan>& plan);
  /// Notes that discovery is complete. Components that the fast path found lost before are missing
  /// from the discovered fabric anyway, so their names are forgotten.
  void discovered() { gone_.clear(); }
  /// Notes that the sweep is over. `all_written`: whether every switch has acknowledged its tables,
  /// MFTs included. True if it left out a component that it had discovered and the
  /// fast path had found lost. Then the caller must request a sweep, whose discovery tells which of
  /// the two was later: no further trap may come.
  bool subnet_up(bool all_written);

  // --- Called by the fast path

  /// The deferred links, over which the fast path should route; null until the subnet is up.
  /// Further calls return the same until another plan is in force, or begin_sweep(), rediscover()
  /// or leave_to_sweep() is called.
  std::shared_ptr<const RestoredLinks> restored() const { return due_ ? restored_ : nullptr; }
  /// Forgets the deferred links; the next sweep finds them again.
  void rediscover() { restored_.reset(); }
  /// Forgets the deferred links, and makes the next sweep route over the links that it finds.
  void leave_to_sweep();
  /// Notes that this plan has come into force, which does not use the components named in `gone`,
  /// and that groups have lost the ports `paused` before. True if there were deferred links: then
  /// the caller must request a sweep, which finds them again.
  bool taken_over(const Plan& plan, const std::vector<std::string>& gone,
                  const std::vector<PausedPorts>& paused = {});

  /// Calls ExcludedLinks::drain(). Returns true if there were deferred links, which may now be
  /// drained: then the caller must request a sweep.
  bool drain(const std::vector<std::string>& names);
  /// The ports that groups may have in the switches: those of every plan that was in force since
  /// the last sweep that wrote all its trees, and of that sweep's, without those that were paused
  /// since. Switches that a sweep leaves out keep theirs.
  const GroupPorts& group_ports() const { return group_ports_; }
  ExcludedLinks& excluded() { return excluded_; }
  const ExcludedLinks& excluded() const { return excluded_; }

 private:
  void add_tree(const Plan& plan);

  ExcludedLinks excluded_;
  /// Names of components lost since the last discovery ended. A sweep under way may have discovered
  /// them before they failed.
  std::vector<std::string> gone_;
  std::shared_ptr<const RestoredLinks> restored_;  // the links that the last sweep has deferred
  GroupPorts group_ports_;
  /// What group_ports_ will be once the sweep has written its trees.
  GroupPorts new_group_ports_;
  bool doubt_ = false;  // whether this sweep left out what it had discovered, as found lost
  bool due_ = false;    // whether the subnet has come up since the last begin_sweep()
  bool admit_ = false;  // whether the next sweep is to defer nothing
};

}  // namespace selvedge
