// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The search over combinations of faults, compared with a slow implementation that repairs every
// combination from the undamaged fabric on and proves it in full.
#include "plugin/repair/repaired_survival.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/readdress.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/whole.hpp"

namespace selvedge {
namespace {

struct SurvivalCase {
  Fabric fabric;
  Tables tables;

  explicit SurvivalCase(const Fabric& bare, unsigned lmc)
      : fabric(assign_lids(bare, lmc)),
        tables(base_lids_only(fabric, find_engine("updn").compute(fabric, {}).tables)) {}
};

template <class Repairer>
class Twin {
 public:
  Twin(const SurvivalCase& c, FaultKind of, unsigned faults) : case_(c), of_(of), faults_(faults) {
    if (of == FaultKind::kLinks)
      ids_.assign(c.fabric.links().begin(), c.fabric.links().end());
    else
      for (SwitchId s = 0; s < c.fabric.num_switches(); ++s) ids_.push_back(s);
    descend(0);
  }
  const RepairedSurvival& result() const { return result_; }

 private:
  void descend(std::size_t from) {
    if (chosen_.size() == faults_) {
      judge();
      return;
    }
    for (std::size_t i = from; i < ids_.size(); ++i) {
      chosen_.push_back(ids_[i]);
      descend(i + 1);
      chosen_.pop_back();
    }
  }
  void judge() {
    Repairer repair(case_.fabric, case_.tables, std::nullopt, {});
    Fault all;
    for (const std::uint32_t id : chosen_) {
      Fault one;
      (of_ == FaultKind::kLinks ? one.links : one.switches).push_back(id);
      (of_ == FaultKind::kLinks ? all.links : all.switches).push_back(id);
      repair.fail(one);
    }
    const Fabric left = without(case_.fabric, all);
    VerifyOptions asked;
    asked.any_lid = true;
    const Verdict verdict = verify(left, repair.tables(), asked).verdict();
    ++result_.evaluated;
    if (!verdict.connected || !verdict.deadlock_free) {
      ++result_.singular;
      if (!result_.witness) result_.witness = all;
    } else if (!test::whole(left)) {
      ++result_.disconnected;
    } else {
      ++result_.tolerated;
    }
    result_.max_vls = std::max(result_.max_vls, verdict.vls_used);
    result_.max_sls = std::max(result_.max_sls, verdict.sls_used);
    result_.max_lids = std::max(result_.max_lids, lids(repair));
    if constexpr (std::is_same_v<Repairer, InPlaceRepair>)
      result_.paths += kept_paths(case_.fabric, left, case_.tables, repair.tables());
  }

  /// The number of LIDs of a host that the repair uses.
  static unsigned lids(const ReaddressRepair& repair) { return repair.state().top_offset() + 1; }
  static unsigned lids(const InPlaceRepair&) { return 1; }

  const SurvivalCase& case_;
  FaultKind of_;
  unsigned faults_;
  std::vector<std::uint32_t> ids_, chosen_;
  RepairedSurvival result_;
};

void expect_equal(const RepairedSurvival& fast, const RepairedSurvival& slow) {
  EXPECT_EQ(fast.evaluated, slow.evaluated);
  EXPECT_EQ(fast.tolerated, slow.tolerated);
  EXPECT_EQ(fast.singular, slow.singular);
  EXPECT_EQ(fast.disconnected, slow.disconnected);
  EXPECT_EQ(fast.max_vls, slow.max_vls);
  EXPECT_EQ(fast.max_sls, slow.max_sls);
  EXPECT_EQ(fast.max_lids, slow.max_lids);
  EXPECT_EQ(fast.paths, slow.paths);
  EXPECT_EQ(fast.witness, slow.witness);
}

SurvivalRequest ask(FaultKind of, unsigned faults, unsigned jobs) {
  SurvivalRequest question;
  question.of = of;
  question.faults = faults;
  question.jobs = jobs;
  return question;
}

struct Small {
  const char* name;
  Fabric bare;
  unsigned lmc;
  FaultKind of;
  unsigned faults;
};
std::vector<Small> small_cases() {
  std::vector<Small> all;
  for (unsigned k = 1; k <= 5; ++k)
    all.push_back({"mesh 3x3", mesh({3, 3}), 2, FaultKind::kLinks, k});
  for (unsigned k = 1; k <= 3; ++k) {
    all.push_back({"torus 3x3", torus({3, 3}), 2, FaultKind::kLinks, k});
    all.push_back({"torus 3x3", torus({3, 3}), 2, FaultKind::kSwitches, k});
  }
  // One LID a host, and none to spare.
  all.push_back({"torus 3x3, LMC 0", torus({3, 3}), 0, FaultKind::kLinks, 3});
  return all;
}

TEST(RepairedSurvival, ReaddressingEqualsItsSlowTwin) {
  for (const Small& small : small_cases()) {
    SCOPED_TRACE(fmt::format("{}, {} faults", small.name, small.faults));
    const SurvivalCase c(small.bare, small.lmc);
    const MakeRepairSequence make = readdress_sequences(c.fabric, c.tables, {});
    const RepairedSurvival fast = survive_repaired(c.fabric, make, ask(small.of, small.faults, 1));
    expect_equal(fast, Twin<ReaddressRepair>(c, small.of, small.faults).result());
    EXPECT_EQ(fast, survive_repaired(c.fabric, make, ask(small.of, small.faults, 3)));
    EXPECT_EQ(fast.singular, 0u);
  }
}

TEST(RepairedSurvival, InPlaceEqualsItsSlowTwin) {
  for (const Small& small : small_cases()) {
    if (small.faults > 3) continue;
    SCOPED_TRACE(fmt::format("{}, {} faults", small.name, small.faults));
    const SurvivalCase c(small.bare, 0);
    const MakeRepairSequence make = in_place_sequences(c.fabric, c.tables, {});
    const RepairedSurvival fast = survive_repaired(c.fabric, make, ask(small.of, small.faults, 2));
    expect_equal(fast, Twin<InPlaceRepair>(c, small.of, small.faults).result());
    EXPECT_EQ(fast.singular, 0u);
  }
}

/// A search over a range of numbers of faults gives the same results as a search for each number.
TEST(RepairedSurvival, ARangeEqualsItsSingleNumbers) {
  for (const FaultKind of : {FaultKind::kLinks, FaultKind::kSwitches}) {
    // One VL and one SL: some combinations are singular, and the witness is the same.
    const SurvivalCase c(torus({3, 3}), 0);
    const MakeRepairSequence make =
        readdress_sequences(c.fabric, c.tables, {.max_vls = 1, .max_sls = 1});
    for (unsigned fewest = 1; fewest <= 4; ++fewest) {
      for (unsigned most = fewest; most <= 4; ++most) {
        SCOPED_TRACE(fmt::format("{} to {}", fewest, most));
        const auto each = survive_repaired_from(c.fabric, make, fewest, ask(of, most, 2));
        ASSERT_EQ(each.size(), most - fewest + 1);
        for (unsigned k = fewest; k <= most; ++k)
          EXPECT_EQ(each[k - fewest], survive_repaired(c.fabric, make, ask(of, k, 1))) << k;
      }
    }
  }
  const SurvivalCase c(mesh({1, 3}), 0);  // the faults: all cables of the fabric
  const MakeRepairSequence make = in_place_sequences(c.fabric, c.tables, {});
  const auto each = survive_repaired_from(c.fabric, make, 1, ask(FaultKind::kLinks, 2, 3));
  ASSERT_EQ(each.size(), 2u);
  EXPECT_EQ(each[0].disconnected, 2u);
  EXPECT_EQ(each[1].evaluated, 1u);
}

/// A repair that does nothing is detected, since the tables are proved after each repair.
TEST(RepairedSurvival, EveryResultIsProved) {
  class Idle final : public RepairSequence {
   public:
    explicit Idle(const Tables& tables) : tables_(tables) {}
    void push(const Fault&) override {}
    void pop() override {}
    const Tables& tables() const override { return tables_; }
    unsigned top_offset() const override { return 0; }

   private:
    const Tables& tables_;
  };
  const SurvivalCase c(mesh({3, 3}), 0);
  const SurvivalRequest question = ask(FaultKind::kLinks, 2, 2);
  const RepairedSurvival idle =
      survive_repaired(c.fabric, [&] { return std::make_unique<Idle>(c.tables); }, question);
  const Survival as_is = survive(c.fabric, c.tables, true, question);
  EXPECT_GT(idle.singular, 0u);
  EXPECT_EQ(idle.singular, as_is.singular);
  EXPECT_EQ(idle.tolerated, as_is.tolerated);
  EXPECT_EQ(idle.disconnected, as_is.disconnected);
  ASSERT_TRUE(idle.witness && as_is.witness);
  EXPECT_EQ(*idle.witness, as_is.witness->fault);
}

TEST(RepairedSurvival, ASampleDoesNotDependOnTheThreads) {
  const SurvivalCase c(torus({4, 4}), 3);
  const MakeRepairSequence make = readdress_sequences(c.fabric, c.tables, {.max_vls = 4});
  SurvivalRequest question = ask(FaultKind::kLinks, 6, 1);
  question.sample = 500;
  question.seed = 7;
  const RepairedSurvival one = survive_repaired(c.fabric, make, question);
  question.jobs = 4;
  EXPECT_EQ(survive_repaired(c.fabric, make, question), one);
  EXPECT_EQ(one.evaluated, 500u);
  EXPECT_EQ(one.singular, 0u);
  question.seed = 8;
  EXPECT_NE(survive_repaired(c.fabric, make, question), one);
}

/// What is told on the way begins with 0, ends with all, and never falls.
TEST(RepairedSurvival, TellsHowFarItIs) {
  const SurvivalCase c(torus({3, 3}), 0);
  const MakeRepairSequence make = in_place_sequences(c.fabric, c.tables, {});
  for (const bool sampled : {false, true}) {
    SurvivalRequest question = ask(FaultKind::kLinks, 2, 1);
    if (sampled) question.sample = 150;
    std::vector<std::uint64_t> told;
    const std::uint64_t all = sampled ? 150 : 18 + 18 * 17 / 2;
    question.progress = [&](std::uint64_t done, std::uint64_t total) {
      told.push_back(done);
      EXPECT_EQ(total, all);
    };
    if (sampled)
      survive_repaired(c.fabric, make, question);
    else
      survive_repaired_from(c.fabric, make, 1, question);
    ASSERT_GT(told.size(), 2u);
    EXPECT_EQ(told.front(), 0u);
    EXPECT_EQ(told.back(), all);
    EXPECT_EQ(std::ranges::adjacent_find(told, std::greater_equal()), told.end());
  }
}

/// Claim T8 (thesis, Table 8.9), the part that takes only a second: all combinations of 1 to 3 of
/// the 32 cables.
TEST(RepairedSurvival, ThreeCablesOfATorus) {
  const SurvivalCase c(torus({4, 4}), 3);
  const MakeRepairSequence make = readdress_sequences(c.fabric, c.tables, {.max_vls = 4});
  for (unsigned k = 1; k <= 3; ++k) {
    const RepairedSurvival found = survive_repaired(c.fabric, make, ask(FaultKind::kLinks, k, 2));
    EXPECT_EQ(found.tolerated, combinations(32, k));
    EXPECT_LE(found.max_vls, 3u);
    EXPECT_LE(found.max_sls, 3u);
  }
}

}  // namespace
}  // namespace selvedge
