// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a sweep finds changed goes into the switches in a proved order, not in OpenSM's, as long as
// the fast path can see to it: what is gone though no trap told of it is taken out before the sweep
// goes on, and what has come back is set up by this sweep but not used until the subnet is up.
#include <algorithm>

#include "plugin/opensm/passage.hpp"
#include "plugin/opensm/plugin.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {

/// The fabric as OpenSM has found it, as far as it shall be used.
Census Plugin::look() {
  Census census = take_census(osm_);
  census.fabric = in_service(census.fabric);
  port_vls_ = census.port_vls;
  sl2vl_ = census.sl2vl;
  return census;
}

Fabric Plugin::in_service(const Fabric& seen) {
  const std::lock_guard lock(out_mutex_);
  Fault out = out_of_service_.in(seen);
  const Fault gone = OutOfService::meant_by(gone_since_, seen);
  out.links.insert(out.links.end(), gone.links.begin(), gone.links.end());
  out.switches.insert(out.switches.end(), gone.switches.begin(), gone.switches.end());
  return out.empty() ? seen : without(seen, out);
}

/// Called with OpenSM's lock held, which the fast path needs. True: it was released, and much
/// may be otherwise by now.
bool Plugin::take_out_what_is_gone(const Fabric& seen, osm_routing_engine_t& slot) {
  const std::shared_ptr<const Plan> plan = plan_;
  Fault gone = missing_from(seen, plan->fabric);
  if (gone.empty() || !fast_path_.able()) return false;
  osm_.routing_engine_used = &slot;  // path queries meanwhile shall get our SLs
  cl_plock_release(&osm_.lock);
  fast_path_.take_out_for_sweep(plan, std::move(gone));
  cl_plock_excl_acquire(&osm_.lock);
  return true;
}

/// The subnet is up.
void Plugin::may_use_what_came() {
  const std::lock_guard lock(out_mutex_);
  come_back_due_ = true;
}

/// Takes from what is seen all that has come since the tables in force were made, if these serve
/// the rest, and remembers it. A switch must be one that they served before: else its hosts have
/// LIDs that the tables do not know.
void Plugin::leave_out_what_came(Fabric& seen) {
  const std::lock_guard lock(out_mutex_);
  if (admit_ || !fast_path_.able()) return;
  const Fault come = missing_from(plan_->fabric, seen);
  if (come.empty()) return;
  const bool known =
      come.switches.empty() || (plan_->whole && only_lost(plan_->whole->fabric, seen));
  Fabric rest = without(seen, come);
  const bool served = only_lost(plan_->fabric, rest) && missing_from(rest, plan_->fabric).empty();
  if (!known || !served) return;
  // Without a guard the order has to be searched for, and faults would wait for that.
  if (!plan_->guarded && lft_entries(seen) > kPassageEntriesMax) return;
  come_back_ = std::make_shared<const ComeBack>(nullptr, std::move(seen));
  seen = std::move(rest);
}

}  // namespace selvedge
