// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/qos_proof.hpp"

#include <fmt/format.h>

#include "plugin/verify/verify.hpp"

namespace selvedge {

std::optional<std::string> fault_of_levels(const Plan& plan, const QosLevels& levels) {
  if (levels.plain()) return std::nullopt;
  const bool one_vl = levels.engine_vls() == 1;
  for (const Sl sl : levels.lowest_sls()) {
    VerifyOptions options;
    options.any_lid = true;
    options.any_sl = one_vl;
    const Verdict v =
        verify(plan.fabric, as_written(plan.fabric, plan.tables, levels, sl), options).verdict();
    const bool all = v.deadlock_free_any_sl.value_or(!one_vl);
    if (v.loop_free && v.deadlock_free && all && v.failed_pairs <= plan.verdict.failed_pairs)
      continue;
    return fmt::format("the tables of {} cannot be proved on the QoS level of SL {}{}", plan.engine,
                       sl, v.witnesses.empty() ? "" : ": " + v.witnesses.front().text);
  }
  return std::nullopt;
}

}  // namespace selvedge
