// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Small subnets, drawn, with the verdicts that the verifier must give.
#include "plugin/verify/verify.hpp"

#include "plugin/verify/further.hpp"

#include <gtest/gtest.h>

#include "plugin/fabric/fault.hpp"

namespace {

using namespace selvedge;

//     H-0       H-1       H-2       H-3
//      |3        |3        |3        |3
//   +-S-0-2---1-S-1-2---1-S-2-2---1-S-3-2-+      LIDs: S-0 … S-3 have 1 … 4,
//   1                                     |            H-0 … H-3 have 5 … 8 (LMC 0)
//   +-------------------------------------+      Port 4 has no cable.
Fabric ring(unsigned lmc = 0) {
  FabricBuilder builder;
  for (SwitchId s = 0; s < 4; ++s) {
    Switch node;
    node.name = "S-" + std::to_string(s);
    node.ports = 4;
    builder.add_switch(node);
    Host host;
    host.name = "H-" + std::to_string(s);
    host.at = s;
    host.port = 3;
    builder.add_host(host);
  }
  for (SwitchId s = 0; s < 4; ++s) builder.connect(s, 2, (s + 1) % 4, 1);
  return assign_lids(std::move(builder).build("ring"), lmc);
}

constexpr PortNum kLeft = 1, kRight = 2, kHere = 3;

/// Tables that route everything to the right round the ring.
Tables clockwise(const Fabric& fabric) {
  Tables tables(fabric);
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
    const auto dlid = static_cast<Lid>(lid);
    if (fabric.destination_switch(dlid) == kNoSwitch) continue;
    const bool host = fabric.owner(dlid).kind == LidOwner::Kind::kHost;
    for (SwitchId s = 0; s < 4; ++s) tables.set_next(s, dlid, kRight);
    tables.set_next(fabric.destination_switch(dlid), dlid, host ? kHere : PortNum{0});
  }
  return tables;
}

/// Tables that route along the chain S-0 … S-3 and do not use the cable from S-3 to S-0.
Tables chain(const Fabric& fabric) {
  Tables tables = clockwise(fabric);
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
    const auto dlid = static_cast<Lid>(lid);
    for (SwitchId s = 0; s < 4; ++s)
      if (fabric.destination_switch(dlid) < s) tables.set_next(s, dlid, kLeft);
  }
  return tables;
}

const Witness* witness_for(const Verdict& v, const std::string& property) {
  for (const Witness& w : v.witnesses)
    if (w.property == property) return &w;
  return nullptr;
}

Lid lid_of_host(const Fabric& f, HostId h, unsigned offset = 0) {
  return static_cast<Lid>(f.host(h).lid + offset);
}

TEST(Verify, AChainHolds) {
  const Fabric f = ring();
  const VerifyOptions all{.replies = true, .any_sl = true, .disjoint = 1};
  const Proof proof = verify(f, chain(f), all);
  const Verdict& v = proof.verdict();
  EXPECT_TRUE(v.holds(all));
  EXPECT_EQ(v.pairs, 12u);
  EXPECT_EQ(v.failed_pairs, 0u);
  EXPECT_EQ(v.disconnected, 0u);
  EXPECT_EQ(v.unreachable_switch_lids, 0u);
  EXPECT_EQ(v.dependencies, 4u);  // S-0 → S-1 → S-2 → S-3: two turns, and two on the way back
  EXPECT_EQ(v.disjoint_min, 1u);
  EXPECT_EQ(v.vls_used, 1u);
  EXPECT_EQ(v.sls_used, 1u);
  EXPECT_TRUE(v.witnesses.empty());
}

TEST(Verify, OneWayTrafficOnARingDeadlocks) {
  const Fabric f = ring();
  const Proof proof = verify(f, clockwise(f));
  const Verdict& v = proof.verdict();
  EXPECT_TRUE(v.connected);
  EXPECT_TRUE(v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_FALSE(v.holds({}));
  const Witness* w = witness_for(v, "deadlock_free");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->kind, Witness::Kind::kCycle);
  EXPECT_EQ(w->text, "S-0:2 VL0 -> S-1:2 VL0 -> S-2:2 VL0 -> S-3:2 VL0 -> S-0:2 VL0");
  EXPECT_EQ(w->vls, std::vector<Vl>(4, 0));
}

/// Paths that cross the cable S-3 → S-0 have SL 0: VL 0 up to this cable, VL 1 after it, at S-0
/// and S-1. The other paths have SL 1 and VL 1. So VL 0 has no turn after the cable and VL 1 none
/// onto it: neither VL has a cycle, unless SL 0 is also used by paths that do not cross the cable.
Tables crossing(const Fabric& f) {
  Tables t = clockwise(f);
  Sl2VlRow row, behind;
  behind.fill(1);
  row = behind;
  row[0] = 0;
  for (SwitchId s = 0; s < 4; ++s) t.sl2vl.set_all(s, row);
  t.sl2vl.set(0, kLeft, kRight, behind);
  t.sl2vl.set(1, kLeft, kRight, behind);
  for (unsigned lid = 1; lid <= f.top_lid(); ++lid)
    for (SwitchId s = 0; s < 4; ++s)
      t.set_sl(s, static_cast<Lid>(lid),
               s <= f.destination_switch(static_cast<Lid>(lid)) ? Sl{1} : Sl{0});
  return t;
}

TEST(Verify, AVlForThePathsThatCrossHelpsOnlyOnTheirOwnSl) {
  const Fabric f = ring();
  const Tables t = crossing(f);
  const Proof proof = verify(f, t, {.any_sl = true});
  EXPECT_TRUE(proof.verdict().deadlock_free);
  EXPECT_EQ(proof.verdict().deadlock_free_any_sl, false);
  EXPECT_EQ(proof.verdict().vls_used, 2u);
  EXPECT_EQ(proof.verdict().sls_used, 2u);
  const Witness* w = witness_for(proof.verdict(), "deadlock_free_any_sl");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->text, "S-0:2 VL1 -> S-1:2 VL1 -> S-2:2 VL0 -> S-3:2 VL0 -> S-0:2 VL1");
}

TEST(Verify, AFurtherSlOfOnePathClosesTheCycle) {
  const Fabric f = ring();
  const Tables t = crossing(f);
  FurtherSls further(t);
  EXPECT_TRUE(verify(f, t, further).verdict().deadlock_free);
  further.add(t, 0, lid_of_host(f, 3), 1);  // its own
  EXPECT_TRUE(further.empty());
  further.add(t, 0, lid_of_host(f, 3), 0);
  EXPECT_EQ(further.count(), 1u);
  const Verdict v = verify(f, t, further).verdict();
  EXPECT_FALSE(v.deadlock_free);
  const Witness* w = witness_for(v, "deadlock_free");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->text, "S-0:2 VL1 -> S-1:2 VL1 -> S-2:2 VL0 -> S-3:2 VL0 -> S-0:2 VL1");
}

TEST(Verify, AMissingEntryNamesThePairAndWhereItEnds) {
  const Fabric f = ring();
  Tables t = chain(f);
  t.set_next(1, lid_of_host(f, 3), kNoPort);
  const Proof proof = verify(f, t);
  const Verdict& v = proof.verdict();
  EXPECT_FALSE(v.connected);
  EXPECT_TRUE(v.loop_free);
  EXPECT_TRUE(v.deadlock_free);
  EXPECT_EQ(v.failed_pairs, 2u);  // H-0 and H-1, through S-1
  const Witness* w = witness_for(v, "connected");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->kind, Witness::Kind::kUnreachable);
  EXPECT_EQ(w->text, "H-0 -> H-3 LID 8: S-0:2 S-1: no route");
  EXPECT_EQ(w->source, 0u);
  EXPECT_EQ(w->dlid, 8u);
}

TEST(Verify, WrongEntriesSayWhatIsWrong) {
  const Fabric f = ring();
  const Lid dlid = lid_of_host(f, 3);
  const std::pair<PortNum, const char*> cases[] = {
      {4, "H-0 -> H-3 LID 8: S-0:2 S-1: port 4 has no cable"},
      {9, "H-0 -> H-3 LID 8: S-0:2 S-1: port 9 of 4"},
      {0, "H-0 -> H-3 LID 8: S-0:2 S-1: port 0, but the LID is H-3"},
      {3, "H-0 -> H-3 LID 8: S-0:2 S-1: port 3 leads to H-1, but the LID is H-3"}};
  for (const auto& [port, text] : cases) {
    Tables t = chain(f);
    t.set_next(1, dlid, port);
    const Proof proof = verify(f, t);
    const Witness* w = witness_for(proof.verdict(), "connected");
    ASSERT_NE(w, nullptr);
    EXPECT_EQ(w->kind, Witness::Kind::kBadEntry);
    EXPECT_EQ(w->text, text);
  }
}

TEST(Verify, ALoopIsReportedFromAnySource) {
  const Fabric f = ring();
  Tables t = chain(f);
  const Lid dlid = f.node(0).lid;  // not even a host's
  t.set_next(2, dlid, kRight);     // S-2 → S-3 → S-2
  const Proof proof = verify(f, t);
  const Verdict& v = proof.verdict();
  EXPECT_TRUE(v.connected);
  EXPECT_FALSE(v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_EQ(v.unreachable_switch_lids, 2u);
  const Witness* w = witness_for(v, "loop_free");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->text, "LID 1 (S-0): S-2:2 S-3:1 S-2: loops");

  // If SL2VL drops packets in the loop, it is still reported, as a loop of the LFTs.
  Sl2VlRow drop;
  drop.fill(kDropVl);
  t.sl2vl.set(2, kRight, kRight, drop);
  const Proof guarded = verify(f, t);
  EXPECT_FALSE(guarded.verdict().loop_free);
  EXPECT_TRUE(guarded.verdict().deadlock_free);
}

TEST(Verify, AMissingVlDropsThePair) {
  const Fabric f = ring();
  Tables t = chain(f);
  Sl2VlRow row{};
  row[5] = kDropVl;
  t.sl2vl.set(1, kLeft, kRight, row);
  EXPECT_TRUE(verify(f, t).verdict().connected) << "nobody uses SL 5";
  t.set_sl(0, lid_of_host(f, 2), 5);
  const Proof proof = verify(f, t, {.replies = true});
  EXPECT_EQ(proof.verdict().failed_pairs, 1u);
  const Witness* w = witness_for(proof.verdict(), "connected");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->kind, Witness::Kind::kDropped);
  EXPECT_EQ(w->text, "H-0 -> H-2 LID 7: S-0:2 S-1: SL 5 has no VL from port 1 to port 2");
  EXPECT_EQ(proof.verdict().dropped_replies, 0u) << "the answer goes the other way";

  t.sl2vl.set(1, kRight, kLeft, row);
  const Proof both = verify(f, t, {.replies = true});
  EXPECT_EQ(both.verdict().dropped_replies, 1u);
  EXPECT_EQ(both.verdict().deadlock_free_replies, true);
  EXPECT_FALSE(both.verdict().holds({.replies = true})) << "the pair of the question fails";
  ASSERT_NE(witness_for(both.verdict(), "dropped_replies"), nullptr);

  // Now requests pass, but their replies are dropped: no connection on the SL of the request.
  t.sl2vl.set(1, kLeft, kRight, Sl2VlRow{});
  const Proof answer = verify(f, t, {.replies = true});
  EXPECT_EQ(answer.verdict().dropped_replies, 1u);
  EXPECT_EQ(answer.verdict().failed_pairs, 0u);
  EXPECT_EQ(answer.verdict().dropped_base, 1u);
  EXPECT_EQ(answer.verdict().grade(), ReplyGrade::kOwnSl);
  EXPECT_FALSE(answer.verdict().holds({.replies = true, .grade = ReplyGrade::kBase}));
  EXPECT_TRUE(answer.verdict().holds({.replies = true, .grade = ReplyGrade::kOwnSl}));
  ASSERT_EQ(answer.verdict().witnesses.size(), 2u);
  EXPECT_EQ(answer.verdict().witnesses[0].property, "dropped_base");
  EXPECT_EQ(answer.verdict().witnesses[1].property, "dropped_replies");
}

TEST(Verify, AReplyOnTheSlOfTheRequestMayDeadlock) {
  // All paths go to the right. Paths of one hop have VL 0 and make no turn; paths of two and three
  // hops are separated on VLs 1 to 6. But the reply to a path of one hop takes three hops on VL 0.
  const Fabric f = ring();
  Tables t = clockwise(f);
  Sl2VlRow row{};
  for (Sl sl = 0; sl < 7; ++sl) row[sl] = sl;
  for (SwitchId s = 0; s < 4; ++s) t.sl2vl.set_all(s, row);
  for (unsigned lid = 1; lid <= f.top_lid(); ++lid) {
    const auto dlid = static_cast<Lid>(lid);
    for (SwitchId s = 0; s < 4; ++s) {
      const unsigned hops = (f.destination_switch(dlid) + 4 - s) % 4;
      t.set_sl(s, dlid, static_cast<Sl>(hops <= 1 ? 0 : hops == 2 ? 1 + s / 2 : 3 + s));
    }
  }
  const Proof proof = verify(f, t, {.replies = true});
  EXPECT_TRUE(proof.verdict().deadlock_free) << "paths alone don't close a circle";
  EXPECT_EQ(proof.verdict().deadlock_free_base, false);
  EXPECT_EQ(proof.verdict().deadlock_free_replies, false);
  EXPECT_EQ(proof.verdict().grade(), ReplyGrade::kOwnSl);
  EXPECT_EQ(witness_for(proof.verdict(), "deadlock_free_replies"), nullptr)
      << "it is the next grade that fails";
  const Witness* w = witness_for(proof.verdict(), "deadlock_free_base");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->channels.size(), 4u);
}

TEST(Verify, TablesSurviveACableWhileOneLidWorks) {
  // LMC 1: a host's first LID is routed to the right, its second to the left, all the way.
  const Fabric f = ring(1);
  Tables t = clockwise(f);
  for (HostId h = 0; h < 4; ++h)
    for (SwitchId s = 0; s < 4; ++s)
      if (s != f.host(h).at) t.set_next(s, lid_of_host(f, h, 1), kLeft);
  const VerifyOptions two{.disjoint = 2, .any_lid = true};
  EXPECT_EQ(verify(f, t, two).verdict().disjoint_min, 2u);

  const Fabric left = without(f, parse_fault(f, {"S-1:2"}));
  const Proof strict = verify(left, t), any = verify(left, t, two);
  EXPECT_FALSE(strict.verdict().connected);
  EXPECT_TRUE(any.verdict().connected);
  EXPECT_EQ(any.verdict().failed_pairs, 0u);
  EXPECT_EQ(any.verdict().disjoint_min, 1u);
  const Witness* w = witness_for(any.verdict(), "disjoint");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->kind, Witness::Kind::kNotDisjoint);

  // Both cables of S-1 have failed: H-1 is physically disconnected, which is no fault of the
  // tables.
  const Fabric apart = without(f, parse_fault(f, {"S-1:2", "S-0:2"}));
  EXPECT_EQ(verify(apart, t, two).verdict().disconnected, 6u);
}

TEST(Verify, AMulticastCycleIsALoop) {
  const Fabric f = ring();
  Tables t = chain(f);
  MulticastTree& tree = t.mft[kMinMulticastLid];
  tree.resize(4);
  for (SwitchId s = 0; s < 4; ++s) tree[s].set(kLeft).set(kRight).set(kHere);
  const Proof looped = verify(f, t);
  EXPECT_FALSE(looped.verdict().loop_free);
  EXPECT_EQ(looped.verdict().multicast_faults, 1u);
  const Witness* w = witness_for(looped.verdict(), "loop_free");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->kind, Witness::Kind::kMulticast);
  EXPECT_EQ(w->channels.size(), 4u);

  tree[0].reset(kLeft);  // S-3 still sends to S-0, which still forwards these packets
  EXPECT_FALSE(verify(f, t).verdict().loop_free);

  tree[1].reset(kRight);
  tree[2].reset(kLeft);
  const Proof one_sided = verify(f, t);
  EXPECT_TRUE(one_sided.verdict().loop_free);
  EXPECT_TRUE(one_sided.verdict().connected) << "that is about hosts' LIDs";
  EXPECT_EQ(one_sided.verdict().multicast_faults, 1u);
  EXPECT_FALSE(one_sided.verdict().holds({}));
  EXPECT_EQ(witness_for(one_sided.verdict(), "connected"), nullptr);
  ASSERT_NE(witness_for(one_sided.verdict(), "multicast"), nullptr);
  EXPECT_EQ(witness_for(one_sided.verdict(), "multicast")->text,
            "MLID 0xc000: S-3:2 leads to a switch whose port is not in the group");

  tree[3].reset(kRight);
  EXPECT_TRUE(verify(f, t).verdict().holds({}));

  tree[2].set(4);
  const Proof uncabled = verify(f, t);
  EXPECT_TRUE(uncabled.verdict().connected);
  EXPECT_FALSE(uncabled.verdict().holds({}));
  ASSERT_NE(witness_for(uncabled.verdict(), "multicast"), nullptr);
  EXPECT_EQ(witness_for(uncabled.verdict(), "multicast")->text, "MLID 0xc000: S-2:4 has no cable");
  EXPECT_TRUE(verify(f, t, {.any_lid = true}).verdict().holds({})) << "lost since";
}

TEST(Verify, AnEmptyFabricIsProved) {
  const VerifyOptions all{.replies = true, .any_sl = true, .disjoint = 2};
  EXPECT_TRUE(verify(Fabric(), Tables(Fabric()), all).verdict().holds(all));
}

TEST(Revise, AnEntryThereAndBackAgain) {
  const Fabric f = ring();
  Tables t = chain(f);
  Proof proof = verify(f, t);
  const Proof first = proof;
  Tables broken = t;
  broken.set_next(1, lid_of_host(f, 3), kLeft);  // S-0 → S-1 → S-0
  const Delta delta = difference(t, broken);
  proof = verify(std::move(proof), f, broken, delta);
  EXPECT_FALSE(proof.verdict().loop_free);
  EXPECT_EQ(proof.verdict().failed_pairs, 2u);
  EXPECT_TRUE(first.verdict().holds({})) << "a copy is a proof of its own";
  proof = verify(std::move(proof), f, t, inverse(delta));
  EXPECT_TRUE(proof.verdict().holds({}));
  EXPECT_EQ(proof.verdict().dependencies, first.verdict().dependencies);
}

TEST(Revise, ADeltaThatContradictsTheTablesCausesAFullProof) {
  const Fabric f = ring();
  const Tables t = chain(f);
  Proof proof = verify(f, t);
  Tables broken = t;
  broken.set_next(1, lid_of_host(f, 3), kNoPort);
  Delta wrong;
  wrong.lft.push_back({1, lid_of_host(f, 3), kRight, kLeft});
  proof = verify(std::move(proof), f, broken, wrong);
  EXPECT_EQ(proof.verdict().failed_pairs, 2u);
  EXPECT_TRUE(proof.verdict().loop_free);
}

}  // namespace
