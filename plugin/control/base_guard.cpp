// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/base_guard.hpp"

#include "plugin/transition/guard.hpp"

namespace selvedge {
namespace {

/// Calls f(switch, port in, port out) for each pair of cables between switches.
template <class F>
void each_turn(const Fabric& fabric, F f) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel in : fabric.out(s))
      for (const Channel out : fabric.out(s)) f(s, fabric.port_of(in), fabric.port_of(out));
}

}  // namespace

void add_base_guard(Plan& plan) {
  const std::optional<SeparateBase> part = separate_base(plan.fabric, plan.tables);
  if (!part) return;
  const Guard made = guard(part->fabric, part->tables);
  if (!made.exists) return;
  plan.base_guard = part->lane;
  Sl2Vl& rows = plan.tables.sl2vl;
  each_turn(plan.fabric, [&](SwitchId s, PortNum in, PortNum out) {
    if (made.sl2vl.row(s, in, out)[0] != kDropVl) return;
    Sl2VlRow row = rows.row(s, in, out);
    row[part->lane.sl] = kDropVl;
    rows.set(s, in, out, row);
  });
}

std::optional<SeparateBase> guarded_base(const Plan& plan) {
  std::optional<SeparateBase> part = separate_base(plan.fabric, unguarded_tables(plan));
  if (!part || !plan.base_guard) return part;
  each_turn(plan.fabric, [&](SwitchId s, PortNum in, PortNum out) {
    if (plan.tables.sl2vl.row(s, in, out)[part->lane.sl] != kDropVl) return;
    Sl2VlRow drops;
    drops.fill(kDropVl);
    part->tables.sl2vl.set(s, in, out, drops);
  });
  return part;
}

void keep_base_guard(const Plan& plan, std::vector<Sl2VlChange>& rows) {
  for (Sl2VlChange& c : rows) {
    c.before = plan.tables.sl2vl.row(c.at, c.in, c.out);
    c.after[plan.base_guard->sl] = c.before[plan.base_guard->sl];
  }
  std::erase_if(rows, [](const Sl2VlChange& c) { return c.before == c.after; });
}

}  // namespace selvedge
