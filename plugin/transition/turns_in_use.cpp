// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/turns_in_use.hpp"

#include "plugin/verify/destination_tree.hpp"
#include "plugin/verify/view.hpp"

namespace selvedge::transition {
namespace {

std::vector<Permit> listed(const std::vector<SlMask>& used) {
  std::vector<Permit> permits;
  for (TurnId t = 0; t < used.size(); ++t)
    if (used[t] != 0) permits.push_back({t, used[t]});
  return permits;
}

/// turns_of_paths() for tables with one SL class that no row drops. Every switch is a source of
/// packets to every LID. So each pair of consecutive LFT entries for a LID makes a turn.
std::vector<Permit> turns_of_one_class(const Fabric& fabric, const Tables& tables,
                                       const TurnGraph& graph) {
  std::vector<SlMask> used(graph.num_turns(), 0);
  // Per channel of a switch: the index of its turn into the first port of the next switch; kNone if
  // the channel does not lead to a switch.
  constexpr TurnId kNone = UINT32_MAX;
  std::vector<TurnId> enters(fabric.num_switch_channels(), kNone);
  std::vector<SwitchId> to(fabric.num_switch_channels(), kNoSwitch);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Channel c : fabric.out(s)) {
      to[c] = fabric.target(c);
      enters[c] = graph.turn(to[c], graph.place(fabric.peer(c)), 0);
    }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const auto lft = tables.lft(s);
    const PortNum ports = fabric.node(s).ports;
    for (std::size_t lid = 1; lid < lft.size(); ++lid) {
      if (lft[lid] > ports) continue;
      const Channel c = fabric.channel(s, lft[lid]);
      if (to[c] == kNoSwitch) continue;
      const PortNum next = tables.next(to[c], static_cast<Lid>(lid));
      if (next > fabric.node(to[c]).ports) continue;
      const Channel out = fabric.channel(to[c], next);
      if (to[out] != kNoSwitch) used[enters[c] + graph.place(out)] = 1;
    }
  }
  return listed(used);
}

}  // namespace

std::vector<Permit> turns_of_paths(const Fabric& fabric, const Tables& tables,
                                   const prover::SlRules& rules, const TurnGraph& graph,
                                   prover::Scope scope) {
  if (rules.one_class && !rules.drops) return turns_of_one_class(fabric, tables, graph);
  const prover::Wiring wiring(fabric);
  const prover::RowMasks rows(tables.sl2vl);
  const prover::View view{&wiring, &tables, &tables.sl2vl, &rows, &rules};
  prover::DestinationTree tree(wiring);
  prover::SlFlow propagate(wiring, rules, tables.sl2vl);
  std::vector<SlMask> used(graph.num_turns(), 0), answers;
  std::vector<PortNum> next(fabric.num_switches());
  std::vector<Sl> sls(fabric.num_switches());
  for (unsigned i = 1; i <= tables.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      next[s] = tables.next(s, lid);
      sls[s] = tables.sl(s, lid);
    }
    const SwitchId requester =
        prover::has_replies(scope) ? view.requester(scope, lid) : wiring.nowhere();
    const bool asked = requester != wiring.nowhere();
    if (asked) {
      answers.resize(fabric.num_hosts());
      for (HostId h = 0; h < fabric.num_hosts(); ++h)
        answers[h] = view.reply_sls(scope, requester, fabric.host(h));
    }
    tree.load(lid, next.data());
    propagate.run(tree, scope, sls.data(), asked ? answers.data() : nullptr);
    for (SwitchId y = 0; y < tree.size(); ++y) {
      const SwitchId x = tree.parent(y);
      if (!tree.forwards(y) || !tree.forwards(x)) continue;
      const TurnId t =
          graph.turn(x, graph.place(fabric.peer(tree.out(y))), graph.place(tree.out(x)));
      used[t] |= propagate.leaving(y).sls & graph.carried(t);
    }
  }
  return listed(used);
}

std::vector<Permit> turns_of_groups(const Fabric& fabric, const Tables& tables,
                                    const prover::SlRules& rules, const TurnGraph& graph,
                                    const std::vector<Channel>* tree) {
  std::vector<SlMask> used(graph.num_turns(), 0);
  const SlMask sl0 = rules.representative(0);
  const auto add = [&](SwitchId s, const PortSet& ports) {
    const auto out = fabric.out(s);
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t o = 0; o < out.size(); ++o)
        if (i != o && ports[fabric.port_of(out[i])] && ports[fabric.port_of(out[o])])
          used[graph.turn(s, i, o)] |= sl0;
  };
  for (const auto& [mlid, group] : tables.mft)
    for (SwitchId s = 0; s < group.size() && s < fabric.num_switches(); ++s) {
      // A packet also arrives by a port that is not in the switch's own port set, if the
      // neighbour's set contains the other end of the cable.
      PortSet ports = group[s];
      for (const Channel c : fabric.out(s))
        if (fabric.target(c) < group.size() &&
            group[fabric.target(c)][fabric.port_of(fabric.peer(c))])
          for (std::size_t o = 0; o < fabric.out(s).size(); ++o)
            if (fabric.out(s)[o] != c && ports[fabric.port_of(fabric.out(s)[o])])
              used[graph.turn(s, graph.place(c), o)] |= sl0;
      add(s, ports);
    }
  if (tree != nullptr) {
    std::vector<PortSet> all(fabric.num_switches());
    for (SwitchId s = 0; s < fabric.num_switches() && s < tree->size(); ++s) {
      const Channel up = (*tree)[s];
      if (up == kNoChannel || !fabric.between_switches(up)) continue;
      all[s].set(fabric.port_of(up));
      all[fabric.target(up)].set(fabric.port_of(fabric.peer(up)));
    }
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) add(s, all[s]);
  }
  return listed(used);
}

}  // namespace selvedge::transition
