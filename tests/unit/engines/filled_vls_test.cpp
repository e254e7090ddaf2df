// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables whose VLs are filled have the same paths, on copies of their VLs that no path leaves.
#include "plugin/engines/filled_vls.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

Routing route(const std::string& engine, const Fabric& fabric, EngineRequest request) {
  return compute_with_replies(find_engine(engine), fabric, request);
}

/// The VLs of a path, one a channel; the host's first. Empty: there is no path.
std::vector<Vl> vls_of_path(const Fabric& fabric, const Tables& tables, SwitchId from, Lid lid) {
  const Sl sl = tables.sl(from, lid);
  std::vector<Vl> vls{tables.host_sl2vl[sl]};
  PortNum in = 0;
  for (SwitchId at = from; vls.size() <= fabric.num_switches() + 1u;) {
    const PortNum out = tables.next(at, lid);
    if (out == kNoPort || out == 0) return {};
    vls.push_back(tables.sl2vl.row(at, in, out)[sl]);
    const Channel link = fabric.channel(at, out), peer = fabric.peer(link);
    if (peer == kNoChannel) return {};
    if (!fabric.from_switch(peer)) return vls;
    at = fabric.switch_of(peer);
    in = fabric.port_of(peer);
  }
  return {};
}

RC_GTEST_PROP(FilledVls, are_copies_of_the_proved_tables, ()) {
  const auto spec = *rc::gen::element<std::string>(
      "torus:4x5,hosts=2", "mesh:3x4", "irregular:switches=16,degree=4,hosts=2,seed=4",
      "tree:k=3,n=2", "hyperx:3x3,hosts=2", "random-regular:switches=14,degree=4,hosts=2,seed=2",
      "torus:3x3x3");
  const auto engine = *rc::gen::element<std::string>("balanced", "updn", "dor", "tftr", "ist");
  const auto lmc = *rc::gen::inRange(0u, 3u);
  EngineRequest request;
  request.max_vls = *rc::gen::inRange(1u, 16u);
  request.max_sls = *rc::gen::inRange(1u, 17u);
  request.replies = *rc::gen::element(ReplyGrade::kOwnSl, ReplyGrade::kBase, ReplyGrade::kSameSl);
  const Fabric fabric = assign_lids(make_fabric(spec), lmc);
  Routing plain;
  try {
    plain = route(engine, fabric, request);
  } catch (const InputError&) {
    RC_DISCARD("the engine does not route it within these VLs and SLs");
  }
  request.fill_vls = true;
  const Routing filled = route(engine, fabric, request);

  const UsedLanes before = used_lanes(fabric, plain.tables);
  const unsigned copies = std::min(request.max_vls / before.vls, request.max_sls / before.sls);
  RC_TAG(copies);
  const UsedLanes after = used_lanes(fabric, filled.tables);
  RC_ASSERT(after.vls <= request.max_vls);
  RC_ASSERT(after.sls <= request.max_sls);

  std::set<unsigned> seen;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      for (unsigned i = 0; i < fabric.host(h).lid_count(); ++i) {
        const auto lid = static_cast<Lid>(fabric.host(h).lid + i);
        RC_ASSERT(plain.tables.next(s, lid) == filled.tables.next(s, lid));
        const std::vector<Vl> was = vls_of_path(fabric, plain.tables, s, lid),
                              is = vls_of_path(fabric, filled.tables, s, lid);
        RC_ASSERT(was.size() == is.size());
        RC_ASSERT(!was.empty());
        const unsigned copy = is[0] / before.vls;
        seen.insert(copy);
        for (std::size_t k = 0; k < was.size(); ++k) RC_ASSERT(is[k] == was[k] + copy * before.vls);
        RC_ASSERT(filled.tables.sl(s, lid) == plain.tables.sl(s, lid) + copy * before.sls);
      }
  RC_ASSERT(seen.size() >= std::min<std::size_t>(copies, 2));

  Tables tables = filled.tables;
  tables.mft = broadcast_group(fabric, filled.multicast);
  Tables tables_before = plain.tables;
  tables_before.mft = broadcast_group(fabric, plain.multicast);
  const Verdict now = verify(fabric, tables, {.replies = true}).verdict();
  const Verdict then = verify(fabric, tables_before, {.replies = true}).verdict();
  RC_ASSERT(now.connected && now.loop_free && now.deadlock_free);
  RC_ASSERT(now.multicast_faults == then.multicast_faults);
  // Fewer paths share a VL, so more may hold than before.
  RC_ASSERT(now.grade().value() >= then.grade().value());
}

TEST(FilledVls, ByHandOnThreeSwitchesInARow) {
  const Fabric fabric = assign_lids(make_fabric("mesh:1x3"), 0);
  Tables tables = route("updn", fabric, {}).tables;
  EXPECT_EQ(fill_vls(fabric, 3, 2, tables), 2u);  // as many as there are SLs
  for (SwitchId from = 0; from < 3; ++from)
    for (HostId to = 0; to < 3; ++to) {
      const Sl sl = tables.sl(from, fabric.host(to).lid);
      EXPECT_EQ(sl, (from + fabric.host(to).at) % 2);
      EXPECT_EQ(tables.host_sl2vl[sl], sl);
    }
  Tables again = tables;
  EXPECT_EQ(fill_vls(fabric, 3, 2, again), 1u) << "two copies of two VLs do not fit three";
  EXPECT_TRUE(again == tables);
}

}  // namespace
}  // namespace selvedge
