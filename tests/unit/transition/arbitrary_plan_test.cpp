// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// prove_safety() against the slow twin where tables and plans hold anything: entries to any port,
// rows that drop or change the VL, paths on several SLs, phases that write any of it, with and
// without drains. What engines and send_plan() make uses few of these at once.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "plugin/transition/safety.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;

constexpr unsigned kSlsDrawn = 3, kVlsDrawn = 3;

class Draw {
 public:
  Draw(const Fabric& fabric, std::uint64_t seed) : fabric_(fabric), random_(seed) {
    drops_ = static_cast<unsigned>(random_.below(70));
  }

  Tables tables() {
    Tables t(fabric_);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      for (unsigned lid = 1; lid <= t.top_lid(); ++lid) {
        t.set_next(s, static_cast<Lid>(lid), port(s));
        if (random_.chance(30)) t.set_sl(s, static_cast<Lid>(lid), sl());
      }
      for (unsigned in = 0; in <= fabric_.node(s).ports; ++in)
        for (unsigned out = 0; out <= fabric_.node(s).ports; ++out)
          if (random_.chance(70))
            t.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row());
    }
    t.host_sl2vl = hosts();
    return t;
  }

  /// One to four phases. Hosts' SL2VL changes only where a phase is an interval of its own: there
  /// alone the twin and the proof count the same senders. A path's SL changes once.
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

  bool coin() { return random_.chance(50); }

 private:
  /// Mostly one that has a cable to another switch.
  PortNum port(SwitchId s) {
    const auto out = fabric_.out(s);
    if (!out.empty() && random_.chance(80)) return fabric_.port_of(out[random_.below(out.size())]);
    return random_.chance(50) ? kNoPort
                              : static_cast<PortNum>(random_.below(fabric_.node(s).ports + 1u));
  }
  Sl sl() { return static_cast<Sl>(random_.below(kSlsDrawn)); }
  Sl2VlRow row() {
    Sl2VlRow row;
    row.fill(kDropVl);
    for (unsigned sl = 0; sl < kSlsDrawn; ++sl)
      if (!random_.chance(drops_)) row[sl] = static_cast<Vl>(random_.below(kVlsDrawn));
    return row;
  }
  Sl2VlRow hosts() {
    Sl2VlRow row;
    row.fill(kDropVl);
    for (unsigned sl = 0; sl < kSlsDrawn; ++sl)
      if (random_.chance(70)) row[sl] = 0;
    return row;
  }

  const Fabric& fabric_;
  StableRandom random_;
  unsigned drops_;
};

/// DLIDs of which some mixture of a phase's entries holds a circle that a switch written to
/// reaches.
std::uint32_t looping_lids(const Fabric& fabric, const Tables& before, const SendPhase& phase) {
  std::uint32_t count = 0;
  for (unsigned i = 1; i <= before.top_lid(); ++i) {
    const auto dlid = static_cast<Lid>(i);
    Tables after = before;
    std::vector<SwitchId> open;
    for (const LftChange& c : phase.lft)
      if (c.dlid == dlid) {
        after.set_next(c.at, dlid, c.after);
        open.push_back(c.at);
      }
    const auto next = [&](SwitchId s) {
      std::vector<SwitchId> to;
      for (const PortNum port : {before.next(s, dlid), after.next(s, dlid)})
        if (port <= fabric.node(s).ports && fabric.between_switches(fabric.channel(s, port)))
          to.push_back(fabric.target(fabric.channel(s, port)));
      return to;
    };
    const auto all_from = [&](std::vector<SwitchId> open) {
      std::set<SwitchId> reached;
      while (!open.empty()) {
        const SwitchId s = open.back();
        open.pop_back();
        for (const SwitchId t : next(s))
          if (reached.insert(t).second) open.push_back(t);
      }
      return reached;
    };
    std::set<SwitchId> reached = all_from(open);
    reached.insert(open.begin(), open.end());
    count += std::ranges::any_of(reached, [&](SwitchId s) { return all_from({s}).contains(s); });
  }
  return count;
}

/// Does some interval's mixture of rows leave a cycle to LFTs of any kind?
bool any_lfts(const Fabric& fabric, const Tables& from, const SendPlan& plan) {
  Tables tables = from;
  for (std::size_t p = 0; p < plan.phases.size();) {
    std::vector<Sl2Vl> rows{tables.sl2vl};
    Sl2VlRow hosts = tables.host_sl2vl;
    do {
      slow_twin::apply(tables, plan.phases[p]);
      rows.push_back(tables.sl2vl);
      for (unsigned sl = 0; sl < kSls; ++sl) hosts[sl] = std::min(hosts[sl], tables.host_sl2vl[sl]);
    } while (++p < plan.phases.size() && !plan.phases[p].drain_first);
    std::vector<const Sl2Vl*> mixed;
    for (const Sl2Vl& r : rows) mixed.push_back(&r);
    if (slow_twin::cyclic(slow_twin::any_lfts(fabric, mixed, hosts))) return false;
  }
  return true;
}

RC_GTEST_PROP(ArbitraryPlans, AgreeWithTheSlowTwin, ()) {
  const Fabric fabric = *test::irregular_fabric(
      {.parallel = true, .pieces = true, .two_ports = true, .unattached = true}, 5);
  Draw draw(fabric, *rc::gen::arbitrary<std::uint64_t>());
  const Tables from = draw.tables();
  const SendPlan plan = draw.plan(from);
  const SafetyOptions options{.any_sl = draw.coin(), .stale_sls = draw.coin()};
  const Safety safety = prove_safety(fabric, from, plan, options);
  const std::vector<bool> slow =
      slow_twin::deadlock_free_phases(fabric, from, plan, options.any_sl, options.stale_sls);
  const bool free = std::ranges::find(slow, false) == slow.end();
  RC_CLASSIFY(free, "free of deadlock");
  RC_ASSERT(safety.deadlock_free == free);
  RC_ASSERT(deadlock_free(fabric, from, plan, options) == free);
  RC_ASSERT(safety.cycle.has_value() == !free);
  RC_ASSERT(safety.any_lfts == any_lfts(fabric, from, plan));
  Tables tables = from;
  bool loops = false;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    RC_ASSERT(safety.phases[p].deadlock_free == slow[p]);
    const std::uint32_t looping = looping_lids(fabric, tables, plan.phases[p]);
    RC_ASSERT(safety.phases[p].looping_lids == looping);
    loops |= looping > 0;
    slow_twin::apply(tables, plan.phases[p]);
  }
  RC_ASSERT(safety.loop_free == !loops);
}

}  // namespace
