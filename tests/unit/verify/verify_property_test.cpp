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

/// Any subnet, sound or broken, gets the verdict and only witnesses that a slow proof confirms.
RC_GTEST_PROP(VerifyProperty, AgreesWithTheSlowReference, ()) {
  random_subnet::Random random(*rc::gen::arbitrary<unsigned>());
  const unsigned switches = *rc::gen::inRange(1u, 8u);
  const unsigned changes = *rc::gen::weightedElement<unsigned>({{3, 0}, {3, 1}, {3, 3}, {2, 12}});
  const Fabric whole = random_subnet::fabric(random, switches);
  const auto style = random_subnet::style(random);
  Tables tables = random_subnet::route(whole, style, random);
  random_subnet::disturb(whole, style, tables, changes, random);
  const Fabric fabric = random_subnet::chance(random, 30)
                            ? without(whole, random_subnet::fault(whole, random))
                            : whole;
  const VerifyOptions options = random_options(random);

  const Proof proof = verify(fabric, tables, options);
  const auto wrong = reference::disagreement(fabric, tables, options, proof.verdict());
  RC_CLASSIFY(proof.verdict().holds(options), "holds");
  RC_CLASSIFY(!proof.verdict().loop_free, "loops");
  RC_CLASSIFY(!proof.verdict().deadlock_free, "deadlocks");
  RC_CLASSIFY(proof.verdict().dropped_replies != 0, "drops replies");
  RC_CLASSIFY(proof.verdict().multicast_faults != 0, "multicast faults");
  if (wrong) RC_FAIL(*wrong);
}

}  // namespace
