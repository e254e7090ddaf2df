// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;

VerifyOptions random_options(random_subnet::Random& random) {
  VerifyOptions o;
  o.replies = random_subnet::chance(random, 50);
  o.any_sl = random_subnet::chance(random, 50);
  o.any_lid = random_subnet::chance(random, 30);
  o.disjoint = random_subnet::chance(random, 40) ? 1 + random_subnet::below(random, 3) : 0;
  o.max_witnesses = 1 + random_subnet::below(random, 4);
  return o;
}

/// What is wrong with the verdict on one random subnet, if anything.
std::optional<std::string> try_one(unsigned seed, unsigned switches, unsigned changes) {
  random_subnet::Random random(seed);
  const auto [fabric, tables] = random_subnet::disturbed(random, switches, changes, 30);
  const VerifyOptions options = random_options(random);
  const Proof proof = verify(fabric, tables, options);
  return reference::disagreement(fabric, tables, options, proof.verdict());
}

/// Any subnet, sound or broken, gets the verdict and only witnesses that a slow proof confirms.
RC_GTEST_PROP(VerifyProperty, AgreesWithTheSlowReference, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const unsigned switches = *rc::gen::inRange(1u, 8u);
  const unsigned changes = *rc::gen::weightedElement<unsigned>({{3, 0}, {3, 1}, {3, 3}, {2, 12}});
  constexpr unsigned kSubnets = 30;  // they are small: many of them in each of rapidcheck's cases
  for (unsigned i = 0; i < kSubnets; ++i)
    if (const auto wrong = try_one(seed + i, switches, changes))
      RC_FAIL("seed " + std::to_string(seed + i) + ": " + *wrong);
}

/// A sound table set with one entry changed is told from the sound one exactly if it is broken.
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
