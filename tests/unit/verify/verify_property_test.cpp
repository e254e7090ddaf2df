// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "plugin/fabric/generators.hpp"
#include "plugin/verify/wiring.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;

VerifyOptions random_options(random_subnet::Random& random) {
  VerifyOptions o;
  o.replies = random_subnet::chance(random, 50);
  o.grade = static_cast<ReplyGrade>(random_subnet::below(random, kReplyGradeNames.size()));
  o.any_sl = random_subnet::chance(random, 50);
  o.any_lid = random_subnet::chance(random, 30);
  o.disjoint = random_subnet::chance(random, 40) ? 1 + random_subnet::below(random, 3) : 0;
  o.max_witnesses = 1 + random_subnet::below(random, 4);
  return o;
}

/// Compares the verdict on one random subnet with the slow reference; returns what is wrong, if
/// anything.
std::optional<std::string> try_one(unsigned seed, unsigned switches, unsigned changes) {
  random_subnet::Random random(seed);
  auto [fabric, tables] = random_subnet::disturbed(random, switches, changes, 30);
  const VerifyOptions options = random_options(random);
  if (random_subnet::chance(random, 30)) random_subnet::spare(fabric, tables, random);
  const Proof proof = verify(fabric, tables, options);
  return reference::disagreement(fabric, tables, options, proof.verdict());
}

/// For any subnet, correct or not, the slow reference confirms the verdict and every witness.
RC_GTEST_PROP(VerifyProperty, AgreesWithTheSlowReference, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const unsigned switches = *rc::gen::inRange(1u, 8u);
  const unsigned changes = *rc::gen::weightedElement<unsigned>({{3, 0}, {3, 1}, {3, 3}, {2, 12}});
  constexpr unsigned kSubnets = 30;  // they are small: many of them in each of rapidcheck's cases
  for (unsigned i = 0; i < kSubnets; ++i)
    if (const auto wrong = try_one(seed + i, switches, changes))
      RC_FAIL("seed " + std::to_string(seed + i) + ": " + *wrong);
}

/// The components are those that the cables connect. After a change of cables each component has a
/// number below the number of switches. If a component falls apart, its largest part keeps its
/// number.
RC_GTEST_PROP(WiringProperty, ComponentsKeepTheirNames, ()) {
  random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
  const Fabric whole = random_subnet::fabric(random, 8);
  prover::Wiring last(whole);
  for (unsigned step = 0; step < 6; ++step) {
    Fault fault;
    const unsigned share = random_subnet::below(random, 101);
    for (const Channel c : whole.links())
      if (random_subnet::chance(random, share)) fault.links.push_back(c);
    const Fabric left = without(whole, fault);
    prover::Wiring now(left);
    const std::vector<std::uint32_t> own = now.component;
    now.match_component_names(last);
    std::map<std::uint32_t, std::uint32_t> to, from;
    for (SwitchId s = 0; s < now.switches; ++s) {
      RC_ASSERT(now.component[s] < now.switches);
      RC_ASSERT(to.emplace(own[s], now.component[s]).first->second == now.component[s]);
      RC_ASSERT(from.emplace(now.component[s], own[s]).first->second == own[s]);
      for (const Channel c : left.out(s)) RC_ASSERT(own[s] == own[left.target(c)]);
    }
    // The largest part of a component that others have not joined keeps its name.
    for (std::uint32_t name = 0; name < now.switches; ++name) {
      std::map<std::uint32_t, std::uint32_t> parts;
      bool joined = false;
      for (SwitchId s = 0; s < now.switches; ++s)
        for (SwitchId t = 0; t < now.switches; ++t)
          joined |= last.component[s] == name && own[s] == own[t] && last.component[t] != name;
      for (SwitchId s = 0; s < now.switches; ++s)
        if (last.component[s] == name) ++parts[now.component[s]];
      if (joined || parts.empty()) continue;
      RC_ASSERT(parts.contains(name));
      for (const auto& [part, size] : parts) RC_ASSERT(parts[name] >= size);
    }
    last = now;
  }
}

/// SL2VL tables for packets from a switch's own port 0 differ from those of all other input ports:
/// the verifier takes them into account.
RC_GTEST_PROP(VerifyProperty, RowsOfPortZeroAloneAreSeen, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  for (unsigned i = 0; i < 5; ++i) {
    random_subnet::Random random(seed + i);
    const Fabric fabric = random_subnet::fabric(random, 6);
    Tables tables = random_subnet::route(fabric, {}, random);
    Sl2VlRow other;
    other.fill(random_subnet::chance(random, 50) ? Vl{1} : kDropVl);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (unsigned out = 1; out <= fabric.node(s).ports; ++out)
        if (random_subnet::chance(random, 60))
          tables.sl2vl.set(s, 0, static_cast<PortNum>(out), other);
    const VerifyOptions options = random_options(random);
    const Proof proof = verify(fabric, tables, options);
    if (const auto wrong = reference::disagreement(fabric, tables, options, proof.verdict()))
      RC_FAIL("seed " + std::to_string(seed + i) + ": " + *wrong);
  }
}

/// The number of witnesses is limited for each kind and property, and the first ones are reported.
RC_GTEST_PROP(VerifyProperty, EachPropertyHasItsFirstWitnesses, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  for (unsigned i = 0; i < 5; ++i) {
    random_subnet::Random random(seed + i);
    const auto [fabric, tables] = random_subnet::disturbed(random, 7, 8, 30);
    VerifyOptions options = random_options(random);
    options.disjoint = 3;
    const auto told = [&](unsigned most) {
      options.max_witnesses = most;
      std::map<std::pair<std::string, bool>, std::vector<std::string>> texts;
      const Proof proof = verify(fabric, tables, options);
      for (const Witness& w : proof.verdict().witnesses)
        if (w.kind != Witness::Kind::kCycle)  // which cycles are found depends on their limit
          texts[{w.property, w.kind == Witness::Kind::kMulticast}].push_back(w.text);
      return texts;
    };
    auto all = told(1000);
    for (auto& [property, texts] : all) texts.resize(std::min<std::size_t>(texts.size(), 2));
    RC_ASSERT(told(2) == all);
  }
}

/// If a path to any LID of a host is enough, the witness says how many LIDs have no path.
TEST(Witness, TellsOfAllLids) {
  for (const unsigned lmc : {0u, 1u, 2u}) {
    const Fabric fabric = assign_lids(mesh({1, 2}), lmc);
    const std::string others =
        fmt::format(" (and none of its other {} LIDs works)", (1u << lmc) - 1);
    for (const bool any_lid : {false, true}) {
      VerifyOptions options;
      options.any_lid = any_lid;
      const Proof proof = verify(fabric, Tables(fabric), options);
      const std::string& text = proof.verdict().witnesses.at(0).text;
      EXPECT_EQ(text.ends_with(others), any_lid && lmc > 0) << text;
      EXPECT_EQ(text.find("other") != std::string::npos, any_lid && lmc > 0) << text;
    }
  }
}

/// One entry of correct tables is changed: the verifier reports a failure exactly if the change
/// breaks a path.
RC_GTEST_PROP(VerifyProperty, OneBrokenEntryIsFoundAndWitnessed, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  constexpr unsigned kSubnets = 30;
  for (unsigned i = 0; i < kSubnets; ++i) {
    random_subnet::Random random(seed + i);
    const Fabric fabric = random_subnet::fabric(random, 7);
    if (fabric.num_hosts() < 2 || fabric.top_lid() == 0) continue;
    const random_subnet::Style along_one_tree{.shortest = false};
    Tables tables = random_subnet::route(fabric, along_one_tree, random);
    bool all_have_lids = true;
    for (const Host& h : fabric.hosts()) all_have_lids &= h.lid != kNoLid;
    if (!all_have_lids) continue;
    RC_ASSERT(verify(fabric, tables).verdict().holds({}));
    // The entry of another host's switch for a host's LID leads nowhere.
    const HostId to = random_subnet::below(random, fabric.num_hosts());
    const HostId from = random_subnet::below(random, fabric.num_hosts());
    const Host &a = fabric.host(from), &b = fabric.host(to);
    if (from == to || b.lid == kNoLid || tables.next(a.at, b.lid) == kNoPort) continue;
    tables.set_next(a.at, b.lid, kNoPort);
    const Proof proof = verify(fabric, tables);
    RC_ASSERT(!proof.verdict().connected);
    RC_ASSERT(!proof.verdict().witnesses.empty());
    if (const auto wrong = reference::disagreement(fabric, tables, {}, proof.verdict()))
      RC_FAIL(*wrong);
  }
}

}  // namespace
