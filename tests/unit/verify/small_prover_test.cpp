// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The small prover, compared with the verifier on random subnets with any errors.
#include "plugin/verify/small_prover.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/whole.hpp"
#include "tests/unit/verify/random_subnet.hpp"

namespace selvedge {
namespace {

void compare(unsigned seed) {
  random_subnet::Random random(seed);
  const Fabric fabric = random_subnet::fabric(random, 8);
  random_subnet::Style style = random_subnet::style(random);
  style.multicast = false;
  Tables tables = random_subnet::route(fabric, style, random);
  if (random_subnet::chance(random, 50))
    random_subnet::disturb(fabric, style, tables, 1 + random_subnet::below(random, 4), random);
  tables.mft.clear();
  SmallProver prover(fabric);
  Fault all;
  for (unsigned faults = 0; faults < 4; ++faults) {
    const Fabric left = without(fabric, all);
    VerifyOptions asked;
    asked.any_lid = true;
    const Verdict verdict = verify(left, tables, asked).verdict();
    const SmallProver::Result found = prover.prove(all, tables);
    RC_LOG() << "faults: " << all.links.size() << " cables, " << all.switches.size()
             << " switches\n";
    for (const Witness& w : verdict.witnesses) RC_LOG() << w.property << ": " << w.text << "\n";
    RC_ASSERT(found.connected == verdict.connected);
    RC_ASSERT(found.deadlock_free == verdict.deadlock_free);
    RC_ASSERT(found.hosts_connected == test::whole(left));
    const Fault more = random_subnet::fault(left, random);
    all.links.insert(all.links.end(), more.links.begin(), more.links.end());
    all.switches.insert(all.switches.end(), more.switches.begin(), more.switches.end());
  }
}

RC_GTEST_PROP(SmallProver, agrees_with_the_verifier, (unsigned seed)) {
  for (unsigned i = 0; i < 12; ++i) compare(seed + i);
}

/// Shortest paths on a ring: the prover finds the cycle, and finds none after a cable is lost.
TEST(SmallProver, ARing) {
  const Fabric fabric = assign_lids(torus({5}), 0);
  const Tables tables = find_engine("spf").compute(fabric, {}).tables;
  SmallProver prover(fabric);
  const SmallProver::Result ring = prover.prove({}, tables);
  EXPECT_TRUE(ring.connected && ring.hosts_connected);
  EXPECT_FALSE(ring.deadlock_free);
  const SmallProver::Result cut = prover.prove({{fabric.links()[0]}, {}}, tables);
  EXPECT_FALSE(cut.connected);
  EXPECT_TRUE(cut.hosts_connected);
  EXPECT_TRUE(cut.deadlock_free);
  EXPECT_EQ(prover.prove({}, tables), ring);
}

}  // namespace
}  // namespace selvedge
