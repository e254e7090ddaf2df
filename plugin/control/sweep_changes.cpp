// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/sweep_changes.hpp"

#include <utility>

#include "plugin/control/sweep_transition_check.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {

bool restore_takes_long(const RestoredLinks& restored, std::size_t entries_max) {
  return restored.plan && !restored.plan->guarded && lft_entries(restored.fabric) > entries_max;
}

void SweepChanges::begin_sweep() {
  restored_.reset();
  due_ = doubt_ = false;
}

Fabric SweepChanges::in_service(const Fabric& seen) const {
  Fault out = excluded_.in(seen);
  const Fault gone = ExcludedLinks::named_components(gone_, seen);
  out.links.insert(out.links.end(), gone.links.begin(), gone.links.end());
  out.switches.insert(out.switches.end(), gone.switches.begin(), gone.switches.end());
  return out.empty() ? seen : without(seen, out);
}

Fabric SweepChanges::take_in_service(const Fabric& seen) {
  doubt_ = doubt_ || !ExcludedLinks::named_components(gone_, seen).empty();
  return in_service(seen);
}

void SweepChanges::defer_restored_links(const Plan& plan, Fabric& seen) {
  if (admit_) return;
  const Fault restored = missing_from(plan.fabric, seen);
  if (restored.empty()) return;
  const bool known =
      restored.switches.empty() ||
      (plan.undamaged_baseline && only_removals(plan.undamaged_baseline->fabric, seen));
  Fabric rest = without(seen, restored);
  const bool served = only_removals(plan.fabric, rest) && missing_from(rest, plan.fabric).empty();
  if (!known || !served) return;
  restored_ = std::make_shared<const RestoredLinks>(nullptr, std::move(seen));
  seen = std::move(rest);
}

void SweepChanges::planned(const std::shared_ptr<const Plan>& plan) {
  admit_ = false;
  new_group_ports_ = group_ports_.outside(plan->fabric);  // the sweep does not write these
  add_tree(*plan);
  if (restored_) restored_ = std::make_shared<const RestoredLinks>(plan, restored_->fabric);
}

/// A group that changes gets this tree at once, all others by the next sweep.
void SweepChanges::add_tree(const Plan& plan) {
  group_ports_.add(plan);
  new_group_ports_.add(plan);
}

bool SweepChanges::subnet_up(bool all_written) {
  if (all_written) group_ports_ = new_group_ports_;
  due_ = true;
  return std::exchange(doubt_, false);
}

void SweepChanges::leave_to_sweep() {
  admit_ = true;
  rediscover();
}

bool SweepChanges::taken_over(const Plan& plan, const std::vector<std::string>& gone,
                              const std::vector<PausedPorts>& paused) {
  group_ports_.remove(plan.fabric, paused);
  new_group_ports_.remove(plan.fabric, paused);
  add_tree(plan);
  gone_.insert(gone_.end(), gone.begin(), gone.end());
  return std::exchange(restored_, nullptr) != nullptr;
}

bool SweepChanges::drain(const std::vector<std::string>& names) {
  excluded_.drain(names);
  return std::exchange(restored_, nullptr) != nullptr;
}

}  // namespace selvedge
