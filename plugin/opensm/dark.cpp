// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that reports dark LIDs (LIDs at which packets of some host do not arrive
// although cables connect the two) and fresh LIDs (plugin/control/fresh_lids.hpp).
#include "plugin/opensm/plugin.hpp"

namespace selvedge {

/// The pairs of which a fault broke a path. They are computed only when something asks for them, so
/// that they do not delay tables, and kept until the plan changes. Null if no LID of the plan is
/// spare.
std::shared_ptr<const std::vector<FreshPair>> Plugin::fresh_of(
    const std::shared_ptr<const Plan>& plan) {
  if (!plan) return nullptr;
  {
    const std::lock_guard lock(status_mutex_);
    if (fresh_plan_ == plan) return status_.fresh;
  }
  std::shared_ptr<const std::vector<FreshPair>> fresh;
  if (plan->tables.has_spare_lids())
    fresh = std::make_shared<const std::vector<FreshPair>>(pairs_hit(*plan));
  const std::lock_guard lock(status_mutex_);
  status_.fresh = fresh;
  fresh_plan_ = plan;
  return fresh;
}

/// Logs the plan's dark LIDs after a sweep, unless the same were logged before.
void Plugin::log_dark(const std::shared_ptr<const Plan>& plan) {
  std::string line = describe_dark(plan->fabric, *dark_lids_of(*plan));
  if (line == dark_logged_) return;
  if (line.empty())
    log(Level::kInfo, "every LID has a route from everywhere again");
  else
    log(Level::kError, line + "; see 'selvedge-route status'");
  dark_logged_ = std::move(line);
}

}  // namespace selvedge
