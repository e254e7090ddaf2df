// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random tables and plans without any restriction: LFT entries to any port, SL2VL rows that drop or
// change the VL, paths on several SLs, multicast groups, and phases that write any of these, with
// and without drains. The results of engines and of send_plan() have few of these features at once.
#pragma once

#include <algorithm>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge::test {

class Arbitrary {
 public:
  /// `sls`, `vls`: how many are in use. With one SL, all SLs are mapped to the same VLs, so that
  /// the proof treats them as one class.
  Arbitrary(const Fabric& fabric, std::uint64_t seed, unsigned sls = 3, unsigned vls = 3)
      : fabric_(fabric), random_(seed), sls_(sls), vls_(vls) {
    drops_ = static_cast<unsigned>(random_.below(70));
  }

  Tables tables() {
    Tables t(fabric_);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      for (unsigned lid = 1; lid <= t.top_lid(); ++lid) {
        t.set_next(s, static_cast<Lid>(lid), port(s));
        if (sls_ > 1 && random_.chance(30)) t.set_sl(s, static_cast<Lid>(lid), sl());
      }
      for (unsigned in = 0; in <= fabric_.node(s).ports; ++in)
        for (unsigned out = 0; out <= fabric_.node(s).ports; ++out)
          if (random_.chance(70))
            t.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row());
    }
    t.host_sl2vl = hosts();
    return t;
  }

  /// The tables with a share (percent) of the LFT entries, SL2VL rows and path SLs changed.
  Tables changed(Tables t, unsigned lft, unsigned rows, unsigned sls) {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      for (unsigned lid = 1; lid <= t.top_lid(); ++lid) {
        if (random_.chance(lft)) t.set_next(s, static_cast<Lid>(lid), port(s));
        if (sls_ > 1 && random_.chance(sls)) t.set_sl(s, static_cast<Lid>(lid), sl());
      }
      for (unsigned in = 0; in <= fabric_.node(s).ports; ++in)
        for (unsigned out = 0; out <= fabric_.node(s).ports; ++out)
          if (random_.chance(rows))
            t.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row());
    }
    return t;
  }

  /// A plan with one to four phases. Hosts' SL2VL tables change only in a phase that is a drain
  /// interval of its own: only there the slow twin and the proof count the same senders. The SL of
  /// a path changes at most once.
  SendPlan plan(const Tables& from) {
    SendPlan plan;
    plan.phases.resize(1 + random_.below(4));
    for (std::size_t p = 0; p < plan.phases.size(); ++p) {
      SendPhase& phase = plan.phases[p];
      phase.drain_first = random_.chance(40);
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
        for (unsigned lid = 1; lid <= from.top_lid(); ++lid) {
          const auto dlid = static_cast<Lid>(lid);
          if (random_.chance(15)) phase.lft.push_back({s, dlid, from.next(s, dlid), port(s)});
          const auto told = [&](const SendPhase& other) {
            return std::ranges::any_of(
                other.sl, [&](const SlChange& c) { return c.source == s && c.dlid == dlid; });
          };
          if (random_.chance(10) && std::ranges::none_of(plan.phases, told))
            phase.sl.push_back({s, dlid, from.sl(s, dlid), sl()});
        }
        for (unsigned in = 0; in <= fabric_.node(s).ports; ++in)
          for (unsigned out = 0; out <= fabric_.node(s).ports; ++out)
            if (random_.chance(10))
              phase.sl2vl.push_back(
                  {s, static_cast<PortNum>(in), static_cast<PortNum>(out),
                   from.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)), row()});
      }
    }
    for (std::size_t p = 0; p < plan.phases.size(); ++p)
      if ((p == 0 || plan.phases[p].drain_first) &&
          (p + 1 == plan.phases.size() || plan.phases[p + 1].drain_first) && random_.chance(50))
        plan.phases[p].host_sl2vl = hosts();
    return plan;
  }

  /// One or two multicast groups, with any ports at any switches.
  MulticastTables groups() {
    MulticastTables mft;
    for (std::uint64_t g = 0, count = 1 + random_.below(2); g < count; ++g) {
      MulticastTree& tree = mft[static_cast<Lid>(kMinMulticastLid + g)];
      tree.resize(fabric_.num_switches());
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
        for (unsigned p = 0; p <= fabric_.node(s).ports; ++p) tree[s][p] = random_.chance(30);
    }
    return mft;
  }

  StableRandom& random() { return random_; }
  bool coin() { return random_.chance(50); }

  /// A random port of a switch, mostly one with a cable to another switch.
  PortNum port(SwitchId s) {
    const auto out = fabric_.out(s);
    if (!out.empty() && random_.chance(80)) return fabric_.port_of(out[random_.below(out.size())]);
    return random_.chance(50) ? kNoPort
                              : static_cast<PortNum>(random_.below(fabric_.node(s).ports + 1u));
  }
  Sl sl() { return static_cast<Sl>(random_.below(sls_)); }
  Vl vl() { return random_.chance(drops_) ? kDropVl : static_cast<Vl>(random_.below(vls_)); }
  Sl2VlRow row() {
    Sl2VlRow row;
    row.fill(sls_ == 1 ? vl() : kDropVl);
    for (unsigned sl = 0; sls_ > 1 && sl < sls_; ++sl) row[sl] = vl();
    return row;
  }
  Sl2VlRow hosts() {
    Sl2VlRow row;
    row.fill(sls_ == 1 && random_.chance(90) ? Vl{0} : kDropVl);
    for (unsigned sl = 0; sls_ > 1 && sl < sls_; ++sl)
      if (random_.chance(70)) row[sl] = 0;
    return row;
  }

 private:
  const Fabric& fabric_;
  StableRandom random_;
  const unsigned sls_, vls_;
  unsigned drops_;  // percentage of SL2VL entries that are VL 15
};

}  // namespace selvedge::test
