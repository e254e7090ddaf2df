// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/reconfiguration_watch.hpp"

#include <algorithm>

namespace selvedge::sim {

void ReconfigurationWatch::delivered(const Delivery& d) {
  if (began_ <= d.delivered && d.delivered < first_cause_) before_.add(d);
  const auto within = [&](Tick at) {
    return std::ranges::any_of(manager_.changes(), [at](const Reconfiguration& change) {
      return change.detected <= at && at <= change.distributed;
    });
  };
  if (within(d.delivered)) during_.add(d);
  if (within(d.generated)) generated_.add(d);
  if (first_cause_ <= d.delivered && d.generated <= end_of_changes())
    stall_ = std::max(stall_, d.delivered - d.generated);
}

void ReconfigurationWatch::lost(const Delivery& d) {
  if (first_cause_ <= d.delivered) last_loss_ = d.delivered;
}

ReconfigurationResult result_of(const ReconfigurationWatch& watch, const Manager& manager) {
  ReconfigurationResult result{.changes = manager.changes(),
                               .reached = manager.idle() && manager.reached(),
                               .smps = manager.smps_sent(),
                               .before = watch.before(),
                               .during = watch.during(),
                               .generated = watch.generated_during(),
                               .stall = watch.stall()};
  if (watch.last_loss() != kNever) result.outage = watch.last_loss() - watch.first_cause();
  if (watch.began() != kNever && watch.first_cause() != kNever)
    result.before_ticks = std::max<Tick>(watch.first_cause() - watch.began(), 0);
  for (const Reconfiguration& change : result.changes)
    if (change.distributed != kNever) result.during_ticks += change.distributed - change.detected;
  return result;
}

}  // namespace selvedge::sim
