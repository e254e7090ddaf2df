// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/sl_flow.hpp"

namespace selvedge::prover {

SlFlow::SlFlow(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl)
    : wiring_(&wiring), rules_(&rules), sl2vl_(&sl2vl), leaving_(wiring.switches) {}

/// Lets the packets that leave y enter y's parent and leave it.
void SlFlow::enter(const DestinationTree& tree, SwitchId y) {
  const SwitchId x = tree.parent(y);
  if (!tree.forwards(x)) return;
  pass(leaving_[y].sls, sl2vl_->row(x, wiring_->arrival[tree.out(y)], tree.out_port(x)),
       leaving_[x]);
}

void SlFlow::run(const DestinationTree& tree, Scope scope, const Sl* sls, const SlMask* replies,
                 const SlMask* further) {
  for (SwitchId s = 0; s < tree.size(); ++s) {
    leaving_[s].sls = 0;
    if (!tree.forwards(s)) continue;  // no packets leave towards another switch
    SlMask own = rules_->representative(sls == nullptr ? Sl{0} : sls[s]);
    if (further != nullptr) own |= rules_->classes(further[s]);
    // Without `replies`, no replies go to this LID.
    pass_sources(
        *wiring_, *rules_, *sl2vl_,
        has_replies(scope) && replies == nullptr ? Scope::kPaths : scope, s, tree.out_port(s), own,
        [&](HostId h) { return replies[h]; }, leaving_[s]);
  }
  for (const SwitchId y : tree.order())
    if (tree.forwards(y)) enter(tree, y);
  if (!tree.loops()) return;

  // On a cycle children cannot come before parents. So passes over the cycles are repeated until no
  // switch has new SLs or VLs.
  const std::vector<SwitchId> cycles = tree.on_cycles();
  for (bool changed = true; changed;) {
    changed = false;
    for (const SwitchId y : cycles) {
      const Leaving before = leaving_[tree.parent(y)];
      enter(tree, y);
      changed |= !(leaving_[tree.parent(y)] == before);
    }
  }
}

}  // namespace selvedge::prover
