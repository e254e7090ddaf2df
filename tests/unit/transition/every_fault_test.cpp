// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Every single fault of undamaged fabrics, repaired in place: with the guard, every intermediate
// state of the transition is proved safe; without the guard, the same order mostly is not.
#include <gtest/gtest.h>

#include "plugin/fabric/spec.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/safety.hpp"
#include "tests/unit/transition/plans.hpp"

namespace {

using namespace selvedge;
using test::Before;
using test::Change;
using Method = SendPlan::Method;

struct Sweep {
  const char* spec;
  const char* engine;
  std::size_t step;         // every step-th cable and switch fails
  unsigned cycles_percent;  // without the guard, at least so many % of cable faults have a cycle
};

void PrintTo(const Sweep& sweep, std::ostream* out) { *out << sweep.spec << ' ' << sweep.engine; }

class EverySingleFault : public testing::TestWithParam<Sweep> {};

TEST_P(EverySingleFault, IsSafeOnTheWay) {
  const Sweep& sweep = GetParam();
  const Fabric bare = make_fabric(sweep.spec, 0);
  const Engine& engine = find_engine(sweep.engine);
  const Before before(engine.lmc == nullptr ? bare : assign_lids(bare, engine.lmc(bare)),
                      sweep.engine);
  const bool one_sl = sweep.cycles_percent < 100;
  EXPECT_EQ(before.guarded(), one_sl);
  unsigned cuts = 0, cyclic = 0;
  for (std::size_t i = 0; i < before.fabric().links().size(); i += sweep.step) {
    const Fault fault{{before.fabric().links()[i]}, {}};
    const Change change = before.repaired(fault, true);
    const SendPlan plan = change.plan();
    const Safety safety = prove_safety(change.fabric, change.from, plan);
    EXPECT_TRUE(safety.safe()) << before.fabric().port_name(fault.links[0]);
    EXPECT_NE(plan.method, Method::kWindow);
    if (one_sl) {
      EXPECT_EQ(plan.method, Method::kGuarded);
      EXPECT_TRUE(safe_for_any_lfts(change.fabric, change.to.sl2vl, change.to.host_sl2vl));
    }
    const Change off = before.repaired(fault, false);
    cyclic += !deadlock_free(off.fabric, off.from, off.plan(Method::kMixed));
    ++cuts;
  }
  EXPECT_GE(cyclic * 100, cuts * sweep.cycles_percent);
  for (SwitchId s = 0; s < before.fabric().num_switches() && one_sl;
       s += static_cast<SwitchId>(sweep.step)) {
    const Change change = before.repaired({{}, {s}}, true);
    const SendPlan plan = change.plan();
    EXPECT_EQ(plan.method, Method::kGuarded);
    EXPECT_TRUE(prove_safety(change.fabric, change.from, plan).safe())
        << before.fabric().node(s).name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics, EverySingleFault,
    testing::Values(Sweep{"torus:8x8", "updn", 1, 60}, Sweep{"torus:16x16", "updn", 24, 60},
                    Sweep{"irregular:switches=64,degree=4,hosts=1,seed=1", "updn", 1, 60},
                    Sweep{"tree:k=4,n=3", "dmodk", 1, 0}, Sweep{"torus:6x6", "ist", 24, 100},
                    Sweep{"torus:6x6", "spftr", 18, 100}));

}  // namespace
