// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

std::set<Channel> channels_used(const Fabric& f, const Tables& t) {
  std::set<Channel> used;
  for (unsigned lid = 1; lid <= t.top_lid(); ++lid)
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      if (const PortNum port = t.next(s, static_cast<Lid>(lid));
          port != kNoPort && f.between_switches(f.channel(s, port)))
        used.insert(f.channel(s, port));
  return used;
}

//  Kim 2007, Fig. 4: root b. Fig. 5b sends a's packets to b, c and d all by port 1, to b, although
//  the cable from a to c is legal in any up*/down*.
//      a---b
//      |  /|
//      c---d
TEST(TreeEngine, IsThePapersUpDown) {
  const Fabric f = test::draw(4, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}});
  EngineRequest request;
  request.root = 1;
  const Routing r = find_engine("tree").compute(f, request);
  for (const HostId h : {1u, 2u, 3u}) EXPECT_EQ(r.tables.next(0, f.host(h).lid), 1);
  EXPECT_EQ(test::route(f, r.tables, 2, f.host(3).lid), (std::vector<SwitchId>{2, 1, 3}));
  ASSERT_EQ(r.remarks.size(), 1u);
  EXPECT_NE(r.remarks[0].find("root of the tree: 1; 3 of 5 cables"), std::string::npos);
}

TEST(TreeEngine, TakesTheBestOfThreeRoots) {
  const Fabric f = assign_lids(irregular(15, 4, 1, 1, 23), 0);
  const std::uint64_t chosen = base_channel_load_max(f, find_engine("tree").compute(f, {}).tables);
  std::vector<std::pair<unsigned, SwitchId>> by_distance;
  for (SwitchId s = 0; s < f.num_switches(); ++s) {
    unsigned sum = 0;
    for (const unsigned d : test::hop_distances(f, s)) sum += d;
    by_distance.emplace_back(sum, s);
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < 3; ++i) {
    EngineRequest request;
    request.root = by_distance[i].second;
    least =
        std::min(least, base_channel_load_max(f, find_engine("tree").compute(f, request).tables));
  }
  EXPECT_EQ(chosen, least);
}

TEST(TreeEngine, RefusesARootThatDoesNotExist) {
  EngineRequest request;
  request.root = 4;
  EXPECT_THROW(find_engine("tree").compute(test::draw(3, {{0, 1}, {1, 2}}), request), InputError);
}

RC_GTEST_PROP(TreeEngine, is_proved_in_every_grade_and_uses_a_tree, ()) {
  const Fabric f = *test::every_fabric();
  Routing r = find_engine("tree").compute(f, {});
  const std::size_t used = channels_used(f, r.tables).size();
  RC_ASSERT(used <= 2 * std::size_t{f.num_switches()});
  std::size_t tree = 0;
  for (const Channel up : *r.multicast) tree += up != kNoChannel ? 1 : 0;
  RC_ASSERT(used <= 2 * tree);
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const VerifyOptions everything{.replies = true, .any_sl = true};
  const Proof proof = verify(f, r.tables, everything);
  RC_LOG() << test::first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().holds(everything));
  RC_ASSERT(proof.verdict().vls_used <= 1u);
}

}  // namespace
}  // namespace selvedge
