// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The control plane on a subnet in memory (sim/control): random faults, restored and flapping
// links, orders, and restarts of the manager, while SMPs are lost, late and doubled. Whenever the
// subnet is quiescent, the switches' tables are proved and equal those of the plan in force.
//
// SELVEDGE_SEEDS=1 SELVEDGE_SEED=n repeats one run and prints the manager's log.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "plugin/control/fresh_lids.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "plugin/tables/drops.hpp"
#include "plugin/verify/verify.hpp"
#include "sim/control/virtual_manager.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge::sim {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kEvents = 100;

struct Case {
  std::string_view name;
  Fabric fabric;
  std::vector<std::string_view> engines;
};

Case draw_case(StableRandom& random, unsigned least_lmc) {
  const unsigned lmc = least_lmc + static_cast<unsigned>(random.below(3));
  switch (random.below(5)) {
    case 0: {
      // With LMC 3 ist and with LMC 4 spftr have separate base LIDs, which are repaired first.
      const unsigned lmcs[] = {lmc, 3, 4};
      return {"torus 4x4",
              assign_lids(torus({4, 4}), lmcs[random.below(3)]),
              {"updn", "auto", "tftr", "ist", "spftr", "spf"}};
    }
    case 1:
      return {"torus 3x3x3", assign_lids(torus({3, 3, 3}), lmc), {"updn", "auto", "tftr"}};
    case 2:
      return {"Clos 6x3", assign_lids(clos(3, 6, 3), lmc), {"updn", "auto", "dmodk", "tftr"}};
    case 3:
      return {"irregular 12",
              assign_lids(irregular(12, 4, 2, random.next()), lmc),
              {"updn", "auto", "tftr"}};
    default:
      return {"mesh 3x4", assign_lids(mesh({3, 4}), lmc), {"updn", "auto", "tftr"}};
  }
}

/// What is wrong with a quiescent subnet; "" if nothing is.
std::string fault_of(const MemorySubnet& subnet, VirtualManager& manager) {
  const std::shared_ptr<const Plan> plan = manager.plan_in_force();
  if (!plan) return "no plan is in force";
  if (!same_working_components(plan->fabric, manager.in_service()))
    return "the plan is for another fabric";
  Tables held = subnet.tables_in_switches(plan->fabric);
  const Fabric reachable = subnet.discovered();
  for (SwitchId s = 0; s < plan->fabric.num_switches(); ++s) {
    // A switch that no SMP reaches keeps its old tables; none of its packets reach the manager's
    // component.
    if (reachable.find_switch(plan->fabric.node(s).guid) == kNoSwitch) continue;
    for (unsigned lid = 1; lid <= plan->fabric.top_lid(); ++lid)
      if (const auto dlid = static_cast<Lid>(lid);
          plan->fabric.destination_switch(dlid) != kNoSwitch &&
          held.next(s, dlid) != plan->tables.next(s, dlid))
        return fmt::format("{} sends LID {} to port {}, believed: {}", plan->fabric.node(s).name,
                           lid, held.next(s, dlid), plan->tables.next(s, dlid));
    for (unsigned in = 0; in <= plan->fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= plan->fabric.node(s).ports; ++out) {
        const auto i = static_cast<PortNum>(in), o = static_cast<PortNum>(out);
        if (held.sl2vl.row(s, i, o) != plan->tables.sl2vl.row(s, i, o))
          return fmt::format("{}: SL2VL from port {} to port {} is not as believed",
                             plan->fabric.node(s).name, in, out);
      }
    const PortSet none;
    const auto ports_of = [&](const MulticastTables& groups) {
      const auto group = groups.find(kMinMulticastLid);
      return group == groups.end() ? none : group->second[s];
    };
    if (ports_of(subnet.group_in_switches(plan->fabric)) != ports_of(plan->tables.mft))
      return fmt::format("{}: the ports of the group are not those of the plan's tree",
                         plan->fabric.node(s).name);
    for (unsigned lid = 1; lid <= plan->fabric.top_lid(); ++lid)
      held.set_sl(s, static_cast<Lid>(lid), plan->tables.sl(s, static_cast<Lid>(lid)));
  }
  held.host_sl2vl = plan->tables.host_sl2vl;
  held.mft = plan->tables.mft;
  if (plan->guarded && !passes_on_every_path(plan->fabric, held, 0))
    return "the guard drops SL 0 on a path, so that an SA would not answer its query";
  VerifyOptions options;
  options.any_lid = true;
  const Verdict verdict = verify(plan->fabric, held, options).verdict();
  if (verdict.connected && verdict.loop_free && verdict.deadlock_free) return "";
  return verdict.witnesses.empty() ? "not proved" : "not proved: " + verdict.witnesses.front().text;
}

/// A random sequence of events. Every cable and switch may fail, except the manager's host cable
/// and switch.
class History {
 public:
  /// `readdress`: with spare LIDs, to which pairs that a fault hits get paths.
  explicit History(std::uint64_t seed, bool readdress = false)
      : random_(seed),
        readdress_(readdress),
        case_(draw_case(random_, readdress ? 2 : 0)),
        manager_host_(static_cast<HostId>(random_.below(case_.fabric.num_hosts()))),
        faults_{static_cast<unsigned>(random_.below(21)), static_cast<unsigned>(random_.below(11)),
                static_cast<unsigned>(random_.below(21))},
        engine_(case_.engines[random_.below(case_.engines.size())]),
        subnet_(clock_, case_.fabric, manager_host_, random_.next(), faults_),
        manager_(subnet_, clock_,
                 {.engine = &find_engine(engine_),
                  .fallback = &find_engine("updn"),
                  .guard = random_.chance(70),
                  .replies = random_.chance(70) ? ReplyGrade::kBase : ReplyGrade::kOwnSl,
                  .limits = {},
                  .flaps = {},
                  .drift = {},
                  .readdress = readdress,
                  .keep_fresh = readdress && random_.chance(30) ? 5s : 0s,
                  .late = std::chrono::milliseconds(random_.chance(30) ? random_.below(3000) : 0),
                  .restore_at_once_max = random_.chance(50) ? 0 : kRestoreAtOnceMax}) {}

  std::string describe() const {
    return fmt::format("{} by {}, {} % of the SMPs lost, {} % late, {} % doubled", case_.name,
                       engine_, faults_.lost, faults_.late, faults_.doubled);
  }

  /// Runs the sequence; returns what went wrong, "" if nothing did.
  std::string go() {
    if (std::string fault = quiet("at the start"); !fault.empty()) return fault;
    for (unsigned event = 0; event < kEvents; ++event) {
      const std::string what = happen();
      if (random_.chance(50)) {
        if (std::string fault = quiet(fmt::format("after event {}: {}", event, what));
            !fault.empty())
          return fault;
      } else {
        manager_.run_for(std::chrono::milliseconds(random_.below(120)));
      }
    }
    return quiet("at the end");
  }

  const VirtualManager& manager() const { return manager_; }
  unsigned quiet_points() const { return quiet_; }
  /// At how many quiet points some fresh LID had paths.
  unsigned with_fresh() const { return with_fresh_; }

 private:
  std::string quiet(const std::string& when) {
    ++quiet_;
    if (!manager_.settle(600s)) return when + ": does not come to rest";
    std::string fault = fault_of(subnet_, manager_);
    if (fault.empty() && readdress_) fault = fault_of_fresh();
    return fault.empty() ? "" : when + ": " + fault;
  }

  /// What is wrong with the fresh LIDs at a quiet point; "" if nothing is.
  std::string fault_of_fresh() {
    const Plan& plan = *manager_.plan_in_force();
    with_fresh_ += has_fresh_lids(plan) ? 1 : 0;
    for (const DarkLid& dark : dark_lids(plan.fabric, plan.tables))
      if (plan.tables.is_spare(dark.lid))
        return fmt::format("fresh LID {} does not arrive from {}", dark.lid,
                           plan.fabric.node(dark.first).name);
    return "";
  }

  Channel any_cable() { return case_.fabric.links()[random_.below(case_.fabric.links().size())]; }
  SwitchId any_switch() {
    const SwitchId own = case_.fabric.host(manager_host_).at;
    SwitchId s = own;
    while (s == own) s = static_cast<SwitchId>(random_.below(case_.fabric.num_switches()));
    return s;
  }

  std::string happen() {
    const Fabric& fabric = case_.fabric;
    switch (random_.below(10)) {
      case 0:
      case 1:
      case 2: {
        const Channel c = any_cable();
        subnet_.cut(c);
        lost_.push_back(c);
        return "cut " + fabric.port_name(c);
      }
      case 3:
      case 4: {
        if (lost_.empty()) return "nothing";
        const std::size_t at = random_.below(lost_.size());
        const Channel c = lost_[at];
        lost_.erase(lost_.begin() + static_cast<std::ptrdiff_t>(at));
        subnet_.restore(c);
        return "healed " + fabric.port_name(c);
      }
      case 5: {
        const SwitchId s = any_switch();
        if (subnet_.alive(s)) {
          subnet_.power_off(s);
          return "killed " + fabric.node(s).name;
        }
        subnet_.power_on(s);
        return "revived " + fabric.node(s).name;
      }
      case 6: {
        const Channel c = any_cable();
        for (unsigned i = 0; i < 4; ++i) {
          subnet_.cut(c);
          manager_.run_for(20ms);
          subnet_.restore(c);
          manager_.run_for(20ms);
        }
        return "flapped " + fabric.port_name(c);
      }
      case 7:
        manager_.order({Order::Kind::kDrain, {fabric.port_name(any_cable())}});
        return "drain ordered";
      case 8:
        if (random_.chance(50)) {
          manager_.order({Order::Kind::kUndrain, {}});
          return "undrain ordered";
        }
        manager_.order({Order::Kind::kReroute, {random_.chance(50) ? "updn" : "auto"}});
        return "reroute ordered";
      default: {
        for (const SwitchId s : {any_switch()})  // often something is healed at the same time
          if (!subnet_.alive(s)) subnet_.power_on(s);
        if (random_.chance(60)) return "a switch on";
        manager_.restart();
        return "the manager restarted";
      }
    }
  }

  StableRandom random_;
  const bool readdress_;
  const Case case_;
  const HostId manager_host_;
  const SmpFaults faults_;
  const std::string engine_;
  VirtualClock clock_;
  MemorySubnet subnet_;
  VirtualManager manager_;
  std::vector<Channel> lost_;
  unsigned quiet_ = 0, with_fresh_ = 0;
};

constexpr unsigned kFew = test::kSanitized ? 20 : 100;
constexpr unsigned kWhole = 1000, kParts = 4;

/// The first part runs kFew seeds; the whole set is kWhole seeds in kParts parts.
class ControlRoom : public testing::TestWithParam<unsigned> {};

TEST_P(ControlRoom, SwitchesHoldProvedTablesThatTheManagerKnows) {
  const char* const asked = std::getenv("SELVEDGE_SEEDS");
  const bool whole = asked == nullptr && test::whole_sets() && !test::kSanitized;
  if (!whole && GetParam() > 0) return;
  const unsigned seeds = asked != nullptr ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10))
                         : whole          ? kWhole / kParts
                                          : kFew;
  const std::uint64_t first = test::draw_seed() + std::uint64_t{GetParam()} * seeds;
  VirtualManager::Counts sum;
  unsigned quiet = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    History run(seed);
    const std::string fault = run.go();
    if (!fault.empty() && seeds == 1)
      for (const std::string& line : run.manager().log_lines()) fmt::print("{}\n", line);
    EXPECT_EQ(fault, "") << run.describe() << "; again: SELVEDGE_SEEDS=1 SELVEDGE_SEED=" << seed;
    const VirtualManager::Counts& counts = run.manager().counts();
    sum.repairs += counts.repairs;
    sum.restores += counts.restores;
    sum.restore_orders += counts.restore_orders;
    sum.pauses += counts.pauses;
    sum.orders += counts.orders;
    sum.refused += counts.refused;
    sum.sweeps += counts.sweeps;
    sum.adopted += counts.adopted;
    sum.declined += counts.declined;
    quiet += run.quiet_points();
  }
  fmt::print(
      "seeds {} to {}: {} repairs and {} returns by the fast path, {} orders ({} given for "
      "returns) "
      "and {} refused, {} pauses of groups, {} sweeps, {} adopted, {} quiet points\n",
      first, first + seeds - 1, sum.repairs, sum.restores, sum.orders, sum.restore_orders,
      sum.refused, sum.pauses, sum.sweeps, sum.adopted, quiet);
  if (seeds < 20) return;
  EXPECT_GT(sum.repairs, 5 * seeds);
  EXPECT_GT(sum.restores, seeds);
  EXPECT_GT(sum.orders, seeds);
  EXPECT_GT(sum.restore_orders, 0u);
  EXPECT_GT(sum.pauses, 0u);
  EXPECT_GT(sum.adopted, 0u);
  EXPECT_EQ(sum.declined, 0u);
}

// The same events in mode readdress: several faults at once, heals while LIDs are given, restarts
// of the manager with fresh LIDs in use, drains, other engines.
TEST(Readdressing, SwitchesHoldProvedTablesWithFreshLids) {
  const char* const asked = std::getenv("SELVEDGE_SEEDS");
  const unsigned seeds =
      asked != nullptr ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10))
                       : (test::whole_sets() && !test::kSanitized ? kWhole / kParts : kFew / 10);
  const std::uint64_t first = test::draw_seed();
  unsigned repairs = 0, quiet = 0, fresh = 0, declined = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    History run(seed, true);
    const std::string fault = run.go();
    if (!fault.empty() && seeds == 1)
      for (const std::string& line : run.manager().log_lines()) fmt::print("{}\n", line);
    EXPECT_EQ(fault, "") << run.describe() << "; again: SELVEDGE_SEEDS=1 SELVEDGE_SEED=" << seed;
    repairs += run.manager().counts().repairs;
    declined += run.manager().counts().declined;
    quiet += run.quiet_points();
    fresh += run.with_fresh();
  }
  fmt::print("seeds {} to {}: {} repairs by the fast path, fresh LIDs at {} of {} quiet points\n",
             first, first + seeds - 1, repairs, fresh, quiet);
  if (seeds < 4) return;
  EXPECT_GT(repairs, 5 * seeds);
  EXPECT_GT(5 * fresh, quiet);
  EXPECT_EQ(declined, 0u);
}

INSTANTIATE_TEST_SUITE_P(Parts, ControlRoom, testing::Range(0u, kParts));

}  // namespace
}  // namespace selvedge::sim
