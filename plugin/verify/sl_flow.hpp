// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes for one DLID which SLs leave each switch, on which VLs, and the turns of these packets.
//
// The VL of a packet on a channel depends on the packet's SL and on the port by which it entered
// the switch before the channel. It does not depend on the packet's earlier VL. So two sets per
// switch suffice: the SLs that leave the switch and, for each of these SLs, the VLs on which they
// leave.
#pragma once

#include <array>
#include <vector>

#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/destination_tree.hpp"
#include "plugin/verify/scope.hpp"
#include "plugin/verify/sl_rules.hpp"

namespace selvedge::prover {

/// The SLs and VLs of the packets that leave one switch towards the DLID.
struct Leaving {
  SlMask sls = 0;
  std::array<VlMask, kSls> vls;  // valid for the SLs in `sls`

  void add(unsigned sl, Vl vl) {
    vls[sl] = static_cast<VlMask>(((sls >> sl) & 1 ? vls[sl] : 0) | bit(vl));
    sls |= bit(sl);
  }
  VlMask all_vls() const {
    VlMask all = 0;
    for (SlMask rest = sls; rest != 0; rest &= static_cast<SlMask>(rest - 1))
      all |= vls[std::countr_zero(rest)];
    return all;
  }
  friend bool operator==(const Leaving& a, const Leaving& b) {
    if (a.sls != b.sls) return false;
    for (SlMask rest = a.sls; rest != 0; rest &= static_cast<SlMask>(rest - 1))
      if (a.vls[std::countr_zero(rest)] != b.vls[std::countr_zero(rest)]) return false;
    return true;
  }
};

/// Lets packets on the SLs `entering` leave: adds these SLs, on the VLs to which the SL2VL row maps
/// them, to `leaving`.
inline void pass(SlMask entering, const Sl2VlRow& row, Leaving& leaving) {
  for (; entering != 0; entering &= static_cast<SlMask>(entering - 1)) {
    const auto sl = static_cast<unsigned>(std::countr_zero(entering));
    if (row[sl] < kDropVl) leaving.add(sl, row[sl]);
  }
}

/// Adds the packets that start at a switch, from the switch itself and from its hosts. `own`: the
/// SL class of the paths from there. `replies`, used if the scope has replies, maps a host there to
/// the SL classes of its replies.
template <class Replies>
void pass_sources(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl, Scope scope,
                  SwitchId at, PortNum out, SlMask own, Replies replies, Leaving& leaving) {
  if (scope == Scope::kAnySl) own = rules.every_class;
  pass(own, sl2vl.row(at, 0, out), leaving);
  // If all ports have the same SL2VL row, hosts add nothing to what the switch itself sends.
  const bool same = sl2vl.uniform(at);
  if (same && !has_replies(scope)) return;
  for (const Wiring::Attached& a : wiring.attached(at)) {
    SlMask sls = same ? SlMask{0} : own;
    if (has_replies(scope)) sls |= replies(a.host);
    pass(sls & rules.from_hosts, sl2vl.row(at, a.port, out), leaving);
  }
}

/// Calls f(from VL, to VL) once for each turn. The packets leave one switch as `leaving` says and
/// enter the next, where the SL2VL row `row` maps their SLs to VLs.
template <class F>
void for_each_turn(const Leaving& leaving, const Sl2VlRow& row, F f) {
  std::array<VlMask, kSls> seen;  // per VL in `started`, before the turn: VLs after it
  VlMask started = 0;
  for (SlMask rest = leaving.sls; rest != 0; rest &= static_cast<SlMask>(rest - 1)) {
    const auto sl = static_cast<unsigned>(std::countr_zero(rest));
    const Vl to = row[sl];
    if (to >= kDropVl) continue;
    for (VlMask vls = leaving.vls[sl]; vls != 0; vls &= static_cast<VlMask>(vls - 1)) {
      const auto from = static_cast<unsigned>(std::countr_zero(vls));
      if (!((started >> from) & 1)) {
        started |= bit(from);
        seen[from] = 0;
      }
      if ((seen[from] >> to) & 1) continue;
      seen[from] |= bit(to);
      f(static_cast<Vl>(from), to);
    }
  }
}

/// Computes the SLs and VLs of a whole destination tree.
class SlFlow {
 public:
  SlFlow(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl);

  /// `sls`: for each switch the SL of paths from there to the DLID; nullptr: SL 0 for all.
  /// `replies`: for each host the SL classes of its replies; nullptr if there are none. `further`:
  /// for each switch the SLs that paths from there have besides; nullptr: none.
  void run(const DestinationTree& tree, Scope scope, const Sl* sls, const SlMask* replies,
           const SlMask* further = nullptr);
  const Leaving& leaving(SwitchId s) const { return leaving_[s]; }

  /// Calls f(turn) once for each turn of the tree.
  template <class F>
  void for_each(const DestinationTree& tree, F f) const {
    for (SwitchId y = 0; y < tree.size(); ++y) {
      const SwitchId x = tree.parent(y);
      if (!tree.forwards(y) || !tree.forwards(x)) continue;
      const PortNum in = wiring_->arrival[tree.out(y)], out = tree.out_port(x);
      for_each_turn(leaving_[y], sl2vl_->row(x, in, out),
                    [&](Vl from, Vl to) { f(Turn{x, in, out, from, to}); });
    }
  }

 private:
  void enter(const DestinationTree& tree, SwitchId y);

  const Wiring* wiring_;
  const SlRules* rules_;
  const Sl2Vl* sl2vl_;
  std::vector<Leaving> leaving_;
};

}  // namespace selvedge::prover
