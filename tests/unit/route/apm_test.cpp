// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Primary and alternate of a connection, on a fabric of which every path is written by hand.
#include "plugin/route/apm.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/error.hpp"
#include "plugin/route/apm_report.hpp"

namespace selvedge::route {
namespace {

/// Two cables between two switches; host A at S0 has LIDs 4 and 5, host B at S1 has 6 and 7. Even
/// LIDs take the cable at port 1, odd ones that at port 2.
class TwoCables : public testing::Test {
 protected:
  explicit TwoCables(LinkRate second = {}) {
    FabricBuilder builder;
    for (const Guid guid : {1, 2}) {
      Switch node;
      node.guid = guid;
      node.name = guid == 1 ? "S0" : "S1";
      node.ports = 3;
      builder.add_switch(node);
    }
    builder.connect(0, 1, 1, 1, {4, 6});
    builder.connect(0, 2, 1, 2, second);
    for (const SwitchId at : {SwitchId{0}, SwitchId{1}}) {
      Host host;
      host.node_guid = host.guid = 3 + at;
      host.name = at == 0 ? "A" : "B";
      host.at = at;
      host.port = 3;
      host.lid = static_cast<Lid>(4 + 2 * at);
      host.lmc = 1;
      builder.add_host(host, {4, 6});
    }
    fabric_ = std::move(builder).build("two cables");
    tables_ = Tables(fabric_);
    for (const Lid lid : {4, 5, 6, 7})
      for (const SwitchId s : {SwitchId{0}, SwitchId{1}})
        tables_.set_next(s, lid, s == SwitchId{lid >= 6} ? 3 : static_cast<PortNum>(1 + lid % 2));
    a_ = find_node(fabric_, "A");
    b_ = find_node(fabric_, "B");
  }
  ApmChoice choose(ReplyGrade grade = ReplyGrade::kOwnSl) const {
    return choose_apm(fabric_, tables_, a_, b_, grade);
  }

  Fabric fabric_;
  Tables tables_;
  Node a_, b_;
};

/// `paths`: from which LID of the source a response returns by the cables of the path.
TEST_F(TwoCables, TheOffsetWithTheReversedPathIsNamed) {
  const auto back = [&] {
    std::map<unsigned, std::optional<unsigned>> found;
    for (const PairPath& p : paths_between(fabric_, tables_, a_, b_)) found[p.offset] = p.back;
    return found;
  };
  using Found = std::map<unsigned, std::optional<unsigned>>;
  EXPECT_EQ(back(), (Found{{0, 0}, {1, 1}}));
  tables_.set_next(1, 4, 2);  // A's LIDs change places
  tables_.set_next(1, 5, 1);
  EXPECT_EQ(back(), (Found{{0, 1}, {1, 0}}));
  tables_.set_next(1, 5, 2);  // no path back takes the cable at port 1
  EXPECT_EQ(back(), (Found{{0, std::nullopt}, {1, 1}}));
  tables_.set_next(1, 4, kNoPort);
  tables_.set_next(1, 5, kNoPort);
  EXPECT_EQ(back(), (Found{{0, std::nullopt}, {1, std::nullopt}}));
}

TEST_F(TwoCables, ParallelCablesAreDisjointAndAnswersReturnByTheSameCable) {
  const ApmChoice choice = choose();
  ASSERT_TRUE(choice.primary && choice.alternate) << choice.reason;
  EXPECT_TRUE(choice.switches_disjoint);  // there is none between
  EXPECT_EQ(std::pair(choice.primary->there, choice.primary->back), std::pair(0U, 0U));
  EXPECT_EQ(std::pair(choice.alternate->there, choice.alternate->back), std::pair(1U, 1U));
  EXPECT_TRUE(choice.primary->reversed && choice.alternate->reversed);
}

TEST_F(TwoCables, AnAnswerOnAnotherSlNeedsAGrade) {
  for (const Lid lid : {4, 5}) tables_.set_sl(1, lid, 1);  // to A, by either cable
  EXPECT_FALSE(choose().primary);
  EXPECT_EQ(choose().reason, "no response on the request's SL is proved between the two hosts");
  const ApmChoice base = choose(ReplyGrade::kBase);  // responses between base LIDs only
  ASSERT_TRUE(base.primary);
  EXPECT_EQ(base.primary->there + base.primary->back, 0U);
  EXPECT_FALSE(base.alternate);
  const ApmChoice all = choose(ReplyGrade::kSameSl);
  ASSERT_TRUE(all.alternate);
  EXPECT_EQ(all.alternate->sl, 0);  // both directions on the question's
  tables_.set_sl(1, 5, 0);          // the odd LIDs have one SL now, the even ones are bases
  ASSERT_TRUE(choose(ReplyGrade::kBase).alternate);
  EXPECT_EQ(choose(ReplyGrade::kBase).alternate->back, 1U);
}

TEST_F(TwoCables, APathBackOverThePrimarysCableIsNoAlternate) {
  tables_.set_next(1, 5, 1);  // both LIDs of A by the first cable
  const ApmChoice choice = choose();
  EXPECT_TRUE(choice.primary);
  EXPECT_FALSE(choice.alternate);
  EXPECT_EQ(choice.reason,
            "no two paths of these LIDs without a common cable have proved responses on their SL");
}

TEST_F(TwoCables, NoPathInOneDirectionIsSaid) {
  for (const Lid lid : {4, 5}) tables_.set_next(1, lid, kNoPort);
  EXPECT_FALSE(choose().primary);
  EXPECT_EQ(choose().reason, "there is no path in one direction");
}

class SlowSecondCable : public TwoCables {
 protected:
  SlowSecondCable() : TwoCables({1, 2}) {}
};
class SecondCableOfUnknownRate : public TwoCables {
 protected:
  SecondCableOfUnknownRate() : TwoCables({4, 0}) {}
};

TEST_F(SlowSecondCable, TheRateIsThatOfTheSlowestCable) {
  const ApmChoice choice = choose();
  ASSERT_TRUE(choice.alternate);
  EXPECT_EQ(rate_code(fabric_, a_, b_, *choice.primary), 16U);   // 4x EDR: IBV_RATE_100_GBPS
  EXPECT_EQ(rate_code(fabric_, a_, b_, *choice.alternate), 5U);  // 1x DDR: IBV_RATE_5_GBPS
}

TEST_F(SecondCableOfUnknownRate, AnUnknownRateIsNoLimit) {
  const ApmChoice choice = choose();
  ASSERT_TRUE(choice.alternate);
  EXPECT_EQ(rate_code(fabric_, a_, b_, *choice.alternate), 0U);
}

TEST(PairsFile, LinesAreReadAndWrongOnesNamed) {
  using Pairs = std::vector<NamePair>;
  EXPECT_EQ(parse_pairs("# both\nA B\r\n\nnode 1\tnode 2\n \nC D", "f"),
            (Pairs{{"A", "B"}, {"node 1", "node 2"}, {"C", "D"}}));
  for (const char* wrong : {"", "#\n", "A\n", "A B C\n", " A B\n", "A\t\n", "A\tB\tC"})
    EXPECT_THROW(parse_pairs(wrong, "f"), InputError) << wrong;
}

}  // namespace
}  // namespace selvedge::route
