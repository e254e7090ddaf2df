// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/fresh_paths.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/tables/spare_lids.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// The engine's tables with all LIDs but base LIDs spare.
Routing with_spare_lids(const Fabric& fabric, const char* engine) {
  Routing routing = find_engine(engine).compute(fabric, {});
  make_spare(fabric, routing.tables, surplus_lids(fabric, routing.tables, true));
  return routing;
}

//   A ─ B ─ C      Under up*/down* the base LID of I may be reached from B by a detour only. The
//   │   │   │      fresh LID has a path too; the base LID's entries stay.
//   D ─ E ─ F
//   │   │   │
//   G ─ H ─ I
TEST(FreshPaths, APathUnderASpareLidChangesNoOtherEntry) {
  const Fabric fabric = assign_lids(mesh({3, 3}), 2);
  const Routing routing = with_spare_lids(fabric, "updn");
  constexpr SwitchId kB = 1, kI = 8;
  const Host& to = fabric.host(fabric.hosts_at(kI).front());
  FreshPaths paths(fabric, routing.tables, routing.multicast, {}, true);
  const std::optional<Readdressed> made = paths.add(kB, to.lid);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->before, to.lid);
  EXPECT_TRUE(paths.tables().is_spare(made->after));
  const PortNum in = fabric.host(fabric.hosts_at(kB).front()).port;
  EXPECT_TRUE(walk(fabric, paths.tables(), kB, in, made->after).arrives());
  for (const LftChange& c : difference(without_multicast(routing.tables), paths.tables()).lft) {
    EXPECT_EQ(c.dlid, made->after);
    EXPECT_EQ(c.before, kNoPort);
  }
  // The next path from there takes the next LID; there are three.
  EXPECT_TRUE(paths.add(kB, to.lid));
  EXPECT_TRUE(paths.add(kB, to.lid));
  EXPECT_FALSE(paths.add(kB, to.lid));
}

TEST(FreshPaths, APathIsKeptOverItsCablesElseOverOthers) {
  const Fabric fabric = assign_lids(torus({4, 4}), 1);
  const Routing routing = with_spare_lids(fabric, "updn");
  const Host& to = fabric.host(fabric.hosts_at(10).front());
  FreshPaths first(fabric, routing.tables, routing.multicast, {}, true);
  ASSERT_TRUE(first.add(0, to.lid));
  const auto lid = static_cast<Lid>(to.lid + 1);
  const PortNum in = fabric.host(fabric.hosts_at(0).front()).port;
  const Path path = walk(fabric, first.tables(), 0, in, lid);
  ASSERT_TRUE(path.arrives());

  FreshPaths same(fabric, routing.tables, routing.multicast, {}, true);
  EXPECT_TRUE(same.keep(0, lid, 0, path.channels));
  EXPECT_EQ(walk(fabric, same.tables(), 0, in, lid).channels, path.channels);
  EXPECT_TRUE(same.keep(0, lid, 0, path.channels));   // it is there already
  EXPECT_FALSE(same.keep(0, lid, 1, path.channels));  // on another SL

  const Fault fault{{path.channels.front()}, {}};
  InPlaceRepair repair(fabric, routing.tables, routing.multicast, {});
  repair.fail(fault);
  FreshPaths other(repair.fabric(), repair.tables(), repair.multicast(), {}, true);
  EXPECT_TRUE(other.keep(0, lid, 0, path.channels));
  const Path detour = walk(repair.fabric(), other.tables(), 0, in, lid);
  EXPECT_TRUE(detour.arrives());
  EXPECT_NE(detour.channels, path.channels);
}

/// On any fabric, whatever is added stays proved, and no entry of before changes.
RC_GTEST_PROP(FreshPaths, AreProvedBesideAllOtherPaths, ()) {
  const Fabric fabric = *test::any_fabric();
  const char* engine = *rc::gen::element("updn", "tftr");
  Routing routing;
  try {
    routing = with_spare_lids(fabric, engine);
  } catch (const InputError&) {
    RC_DISCARD("the engine refuses this fabric");
  }
  // Responses that are safe beside the tree stay so. Without the tree in the tables, "before" could
  // be a grade that the tree takes away.
  const auto verdict = [&](Tables tables) {
    tables.mft = broadcast_group(fabric, routing.multicast);
    VerifyOptions options;
    options.replies = true;
    return verify(fabric, tables, options).verdict();
  };
  const Verdict before = verdict(routing.tables);
  RC_PRE(before.connected && before.grade().has_value() && before.deadlock_free &&
         before.loop_free);
  const ReplyGrade least = std::min(before.grade().value(), ReplyGrade::kBase);
  FreshPaths paths(fabric, routing.tables, routing.multicast, {}, least == ReplyGrade::kBase);
  unsigned made = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    for (SwitchId s = 0; fabric.attached(h) && s < fabric.num_switches(); ++s) {
      if (s == fabric.host(h).at || fabric.hosts_at(s).empty() || fabric.host(h).lid == kNoLid)
        continue;
      if (*rc::gen::inRange(0, 3) == 0) made += paths.add(s, fabric.host(h).lid) ? 1 : 0;
    }
  const Verdict after = verdict(paths.tables());
  RC_ASSERT(after.connected && after.deadlock_free && after.loop_free);
  RC_ASSERT(after.grade().value() >= least);
  for (const LftChange& c : difference(without_multicast(routing.tables), paths.tables()).lft) {
    RC_ASSERT(c.before == kNoPort);
    RC_ASSERT(paths.tables().is_spare(c.dlid));
  }
  RC_TAG(made > 0 ? "some" : "none");
}

}  // namespace
}  // namespace selvedge
