// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/turn_rules.hpp"

#include <algorithm>

namespace selvedge {
namespace {

constexpr unsigned kDown = 0, kUp = 1;

Sl2VlRow row_of(SlSet on_vl1, unsigned sls) {
  Sl2VlRow row;
  for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = static_cast<Vl>(on_vl1 >> (sl % sls) & 1u);
  return row;
}

}  // namespace

TurnRules order_rules(const SwitchGraph& graph, unsigned vls, unsigned sls) {
  TurnRules rules;
  rules.vls = std::min(vls, 2u);
  rules.sls = rules.vls == 1 ? 1 : std::min(sls, 4u);
  rules.kinds = 2;
  rules.region.assign(graph.num_switches(), 0);
  rules.kind.assign(graph.num_arcs(), kDown);
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    std::fill(rules.kind.begin() + graph.first[s], rules.kind.begin() + graph.first_down[s], kUp);

  rules.turns.assign(4, {});
  const auto turn = [&](unsigned in, unsigned out) -> Turn& { return rules.turns[in * 2 + out]; };
  const SlSet all = rules.all();
  if (rules.vls == 2) {
    turn(kDown, kDown).on_vl1 = 0b0100 & all;
    turn(kUp, kUp).on_vl1 = 0b1110 & all;
    turn(kUp, kDown).on_vl1 = 0b0110 & all;
    turn(kDown, kUp).on_vl1 = all;
  }
  turn(kDown, kUp).forbidden = true;
  return rules;
}

void write_sl2vl(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules,
                 Tables& tables) {
  const Sl2VlRow stay = row_of(0, 1), deliver = row_of(rules.vls == 2 ? 1 : 0, 1);
  std::vector<Arc> arc_of(fabric.num_switch_channels(), kNoArc);
  for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of[graph.channel[a]] = a;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    tables.sl2vl.set_all(s, stay);
    for (Arc out = graph.first[s]; out < graph.first[s + 1]; ++out) {
      for (Arc back = graph.first[s]; back < graph.first[s + 1]; ++back) {
        const Arc in = arc_of[fabric.peer(graph.channel[back])];
        if (back == out) continue;
        tables.sl2vl.set(s, graph.port[back], graph.port[out],
                         row_of(rules.turn(s, in, out).on_vl1, rules.sls));
      }
    }
    for (Arc back = graph.first[s]; back < graph.first[s + 1]; ++back) {
      for (const HostId h : fabric.hosts_at(s))
        if (fabric.attached(h)) tables.sl2vl.set(s, graph.port[back], fabric.host(h).port, deliver);
      tables.sl2vl.set(s, graph.port[back], 0, deliver);
    }
  }
}

}  // namespace selvedge
