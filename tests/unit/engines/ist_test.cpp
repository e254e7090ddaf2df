// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The verifier proves ist's tables, on undamaged and on damaged tori.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/shuffle.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::shuffled;

Routing ist(const Fabric& fabric, const EngineRequest& request = {}) {
  return find_engine("ist").compute(fabric, request);
}

EngineRequest bounds(unsigned max_vls, unsigned max_sls) {
  EngineRequest request;
  request.max_vls = max_vls;
  request.max_sls = max_sls;
  return request;
}

/// The proof of the tables, with the multicast tree of a group that all hosts have joined.
Verdict prove(const Fabric& fabric, Routing routing, const VerifyOptions& options = {}) {
  if (routing.multicast)
    routing.tables.mft[kMinMulticastLid] = broadcast_tree(fabric, *routing.multicast);
  return verify(fabric, routing.tables, options).verdict();
}

using test::first_witness;

struct Size {
  std::vector<unsigned> sizes;
  unsigned lmc;
  unsigned vls, sls;  // at most
};

class IstOn : public testing::TestWithParam<Size> {};

TEST_P(IstOn, all_paths_are_disjoint_and_free_of_deadlock) {
  const Size& size = GetParam();
  const Fabric f = assign_lids(torus(size.sizes), size.lmc);
  const VerifyOptions options{.disjoint = 2 * static_cast<unsigned>(size.sizes.size())};
  const Routing routing = ist(f);
  EXPECT_TRUE(routing.multicast);
  EXPECT_TRUE(routing.remarks.empty());
  const Verdict verdict = prove(f, routing, options);
  EXPECT_TRUE(verdict.holds(options)) << first_witness(verdict);
  EXPECT_LE(verdict.vls_used, size.vls);
  EXPECT_LE(verdict.sls_used, size.sls);
  EXPECT_EQ(verdict.multicast_faults, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, IstOn,
    testing::Values(Size{{3, 3}, 2, 3, 3}, Size{{4, 4}, 2, 2, 2}, Size{{5, 5}, 2, 3, 3},
                    Size{{6, 6}, 2, 3, 4}, Size{{7, 7}, 2, 3, 5}, Size{{8, 8}, 2, 4, 6},
                    Size{{9, 9}, 2, 4, 8}, Size{{10, 10}, 2, 4, 8}, Size{{12, 12}, 2, 8, 16},
                    Size{{16, 16}, 2, 7, 16}, Size{{3, 7}, 2, 4, 16}, Size{{6, 5}, 2, 4, 16},
                    Size{{4, 10}, 2, 4, 16}, Size{{9, 5}, 2, 4, 16}, Size{{3, 3, 3}, 3, 8, 16},
                    Size{{4, 4, 4}, 3, 8, 16}, Size{{3, 4, 5}, 3, 8, 16}, Size{{9}, 1, 3, 5}),
    [](const auto& test) {
      std::string name;
      for (const unsigned k : test.param.sizes)
        name += (name.empty() ? "" : "x") + std::to_string(k);
      return name;
    });

TEST(Ist, several_hosts_and_their_switches_lids) {
  const Fabric f = assign_lids(torus({5, 4}, 3), 2);
  const VerifyOptions options{.disjoint = 4};
  const Verdict verdict = prove(f, ist(f), options);
  EXPECT_TRUE(verdict.holds(options)) << first_witness(verdict);
  EXPECT_EQ(verdict.unreachable_switch_lids, 0u);
}

TEST(Ist, lid_and_lmc_may_differ_between_hosts) {
  FabricBuilder builder(torus({4, 4}));
  Lid lid = 1;
  for (SwitchId s = 0; s < 16; ++s) builder.node(s).lid = lid++;
  for (HostId h = 0; h < 16; ++h) {
    builder.host(h).lid = static_cast<Lid>(0x100 + 16 * h);
    builder.host(h).lmc = static_cast<std::uint8_t>(h % 5);
  }
  const Fabric f = std::move(builder).build("LMC 0 to 4");
  const Verdict verdict = prove(f, ist(f));
  EXPECT_TRUE(verdict.holds({})) << first_witness(verdict);
}

RC_GTEST_PROP(Ist, scrambled_ids_and_ports, ()) {
  const auto a = *rc::gen::inRange(3u, 8u), b = *rc::gen::inRange(3u, 8u);
  const Fabric f =
      assign_lids(shuffled(torus({a, b}), *rc::gen::arbitrary<std::uint64_t>()).fabric, 2);
  const VerifyOptions options{.disjoint = 4};
  const Verdict verdict = prove(f, ist(f), options);
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.holds(options));
}

TEST(Ist, a_torus_from_a_file) {
  const Fabric f = assign_lids(read_fabric(write_net(torus({6, 4})), "torus.net").fabric, 2);
  const VerifyOptions options{.disjoint = 4};
  EXPECT_TRUE(prove(f, ist(f), options).holds(options));
}

TEST(Ist, parallel_cables_are_both_used) {
  FabricBuilder builder(torus({4, 4}));
  builder.node(0).ports = 6;
  builder.node(1).ports = 6;
  builder.connect(0, 6, 1, 6);
  const Fabric f = assign_lids(std::move(builder).build("a cable twice"), 2);
  const Routing routing = ist(f);
  const VerifyOptions options{.disjoint = 4};
  EXPECT_TRUE(prove(f, routing, options).holds(options));
  const auto row = routing.tables.lft(0);
  EXPECT_NE(std::ranges::count(row, PortNum{4}), 0);
  EXPECT_NE(std::ranges::count(row, PortNum{6}), 0);
}

TEST(Ist, offset_0_is_a_shortest_path_where_there_are_lids_to_spare) {
  for (const unsigned lmc : {0u, 3u}) {
    const Fabric f = assign_lids(torus({5, 6}), lmc);
    const Tables tables = ist(f).tables;
    DisjointPaths disjoint(f, tables);
    for (HostId h = 0; h < f.num_hosts(); ++h)
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        if (s == f.host(h).at) continue;
        const auto set = disjoint.find(s, h);
        ASSERT_EQ(set.size(), lmc == 0 ? 1u : 4u);
        EXPECT_EQ(set[0], 0u) << "listed first among equals, and none is shorter";
      }
  }
}

TEST(Ist, a_small_lmc_still_gives_disjoint_paths_and_a_remark) {
  const Fabric f = assign_lids(torus({6, 6}), 1);
  const Routing routing = ist(f);
  ASSERT_EQ(routing.remarks.size(), 1u);
  EXPECT_NE(routing.remarks[0].find("LMC 2 for all"), std::string::npos);
  const VerifyOptions options{.disjoint = 2};
  EXPECT_TRUE(prove(f, routing, options).holds(options));
}

TEST(Ist, wants_an_lid_for_each_tree) {
  const Engine& engine = find_engine("ist");
  ASSERT_TRUE(engine.lmc);
  EXPECT_EQ(engine.lmc(torus({5})), 1u);
  EXPECT_EQ(engine.lmc(torus({5, 5})), 2u);
  EXPECT_EQ(engine.lmc(torus({3, 4, 5})), 3u);
  EXPECT_EQ(engine.lmc(k_ary_n_tree(2, 2)), 0u);
}

/// Where there are as many LIDs as trees, one more bit leaves base LIDs a LID: tables of grade
/// `base` keep all disjoint paths, and base LIDs have shorter paths.
TEST(Ist, wants_a_lid_more_for_paths_of_base_lids) {
  const Engine& engine = find_engine("ist");
  const auto wanted = [&](const Fabric& f) { return wanted_lmc(engine, f, ReplyGrade::kBase); };
  EXPECT_EQ(wanted(torus({5})), 2u);
  EXPECT_EQ(wanted(torus({5, 5})), 3u);
  EXPECT_EQ(wanted(torus({3, 4, 5})), 3u);
  EXPECT_EQ(wanted(torus({3, 3, 3, 3})), 4u);
  EXPECT_EQ(wanted(k_ary_n_tree(2, 2)), 0u);
  EXPECT_EQ(wanted_lmc(engine, torus({5, 5}), ReplyGrade::kOwnSl), 2u);
  EXPECT_EQ(wanted_lmc(find_engine("updn"), torus({5, 5}), ReplyGrade::kBase), 0u);
  EXPECT_EQ(wanted_lmc(find_engine("tftr"), torus({5, 5}), ReplyGrade::kBase), 4u);
  for (const auto& sizes : std::vector<std::vector<unsigned>>{{5}, {4, 4}, {6, 5}, {3, 3, 3}}) {
    const Fabric bare = torus(sizes);
    const unsigned paths = 2 * static_cast<unsigned>(sizes.size());
    EngineRequest request;
    request.replies = ReplyGrade::kBase;
    const Fabric f = assign_lids(bare, wanted(bare));
    const VerifyOptions asked{.replies = true, .grade = ReplyGrade::kBase, .disjoint = paths};
    EXPECT_TRUE(
        verify(f, compute_with_replies(engine, f, request).tables, asked).verdict().holds(asked));
    // One bit less: refused, or a disjoint path would be lost. So it is not asked for in vain.
    if (engine.lmc(bare) == wanted(bare)) continue;
    const Fabric less = assign_lids(bare, wanted(bare) - 1);
    EXPECT_THROW(compute_with_replies(engine, less, request), InputError);
  }
}

TEST(Ist, base_lids_load_a_2d_torus_less_with_a_lid_more) {
  for (const unsigned k : {4u, 6u, 8u, 10u, 12u, 16u}) {
    const Fabric bare = torus({k, k});
    const Fabric four = assign_lids(bare, 2), eight = assign_lids(bare, 3);
    const auto load = [](const Fabric& f) { return base_channel_load_max(f, ist(f).tables); };
    EXPECT_LT(load(eight) * 5, load(four) * 4) << k;
  }
}

std::string refusal(const Fabric& fabric, const EngineRequest& request = {}) {
  try {
    ist(fabric, request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Ist, refuses_what_is_no_torus) {
  EXPECT_NE(refusal(assign_lids(mesh({4, 4}), 2))
                .find("ist needs a torus; this is a mesh 4x4; nearest: torus 4x4, 8 links missing"),
            std::string::npos);
  EXPECT_NE(refusal(assign_lids(k_ary_n_tree(3, 2), 2)).find("this is a 3-ary 2-tree"),
            std::string::npos);
  EXPECT_NE(refusal(assign_lids(irregular(16, 4, 1, 1), 2)).find("this is an irregular graph"),
            std::string::npos);
  EXPECT_NE(refusal(Fabric()), "");
}

TEST(Ist, refuses_too_few_vls_or_sls_and_says_how_many) {
  const Fabric f = assign_lids(torus({8, 8}), 2);
  EXPECT_NE(refusal(f, bounds(2, 16)).find("ist needs more than 2 VLs"), std::string::npos);
  const std::string sls = refusal(f, bounds(4, 3));
  EXPECT_NE(sls.find("SLs here with 4 VLs, and 3 are allowed"), std::string::npos) << sls;
  EXPECT_NE(refusal(assign_lids(torus({60}), 1)), "");  // an SL takes three paths of a ring
}

TEST(Ist, keeps_within_the_bounds_that_it_was_given) {
  const Fabric f = assign_lids(torus({6, 6}), 2);
  const Verdict few_vls = prove(f, ist(f, bounds(4, 16)));
  EXPECT_LE(few_vls.vls_used, 4u);
  const Verdict few_sls = prove(f, ist(f, bounds(8, 4)));
  EXPECT_LE(few_sls.sls_used, 4u);
}

/// What a fault may change: only paths that crossed it.
void expect_others_untouched(const Fabric& whole, const Tables& before, const Fabric& left,
                             const Tables& after) {
  for (HostId h = 0; h < left.num_hosts(); ++h) {
    const Host& host = left.host(h);
    if (!left.attached(h)) continue;
    for (SwitchId s = 0; s < left.num_switches(); ++s) {
      if (left.node(s).failed) continue;
      for (unsigned o = 0; o < host.lid_count(); ++o) {
        const Lid lid = static_cast<Lid>(host.lid + o);
        const Path old = walk(whole, before, s, 0, lid);
        const bool survives = std::ranges::all_of(
            old.channels, [&](Channel c) { return left.peer(c) != kNoChannel; });
        if (!survives) continue;
        const Path now = walk(left, after, s, 0, lid);
        EXPECT_EQ(old.channels, now.channels);
        EXPECT_EQ(old.sl, now.sl);
        EXPECT_EQ(old.vls, now.vls) << "SL " << unsigned{old.sl};
      }
    }
  }
}

TEST(Ist, a_lost_cable_moves_only_the_paths_that_crossed_it) {
  const Fabric whole = assign_lids(torus({6, 6}), 2);
  const Fabric left = without(whole, parse_fault(whole, {"S-2-3/S-2-4"}));
  const Routing before = ist(whole), after = ist(left);
  const VerifyOptions options{.disjoint = 2};
  const Verdict verdict = prove(left, after, options);
  EXPECT_TRUE(verdict.holds(options)) << first_witness(verdict);
  EXPECT_TRUE(after.multicast);
  expect_others_untouched(whole, before.tables, left, after.tables);
}

TEST(Ist, a_lost_switch_moves_only_the_paths_that_crossed_it) {
  const Fabric whole = assign_lids(torus({7, 5}), 2);
  const Fabric left = without(whole, parse_fault(whole, {"S-3-2"}));
  const Routing before = ist(whole), after = ist(left);
  const Verdict verdict = prove(left, after);
  EXPECT_TRUE(verdict.holds({})) << first_witness(verdict);
  expect_others_untouched(whole, before.tables, left, after.tables);
}

// All 16 SLs are in use: the detours must fit beside the existing paths.
TEST(Ist, a_large_torus_with_a_hole_needs_no_more_sls) {
  const Fabric whole = assign_lids(torus({12, 12}), 2);
  const Fabric left = without(whole, parse_fault(whole, {"S-3-3/S-3-4", "S-7-11/S-7-0"}));
  const Routing after = ist(left);
  const VerifyOptions options{.disjoint = 2};
  const Verdict verdict = prove(left, after, options);
  EXPECT_TRUE(verdict.holds(options)) << first_witness(verdict);
  EXPECT_TRUE(after.multicast);
  EXPECT_LE(verdict.sls_used, 16u);
  EXPECT_LE(verdict.vls_used, 8u);
}

RC_GTEST_PROP(Ist, damaged_tori_are_routed_or_refused, ()) {
  const auto a = *rc::gen::inRange(4u, 8u), b = *rc::gen::inRange(4u, 8u);
  const Fabric whole = assign_lids(torus({a, b}), *rc::gen::inRange(0u, 4u));
  Fault fault;
  const auto lost = *rc::gen::inRange(1u, 4u);
  const auto links = whole.links();
  for (unsigned i = 0; i < lost; ++i)
    fault.links.push_back(links[*rc::gen::inRange<std::size_t>(0, links.size())]);
  if (*rc::gen::inRange(0, 3) == 0)
    fault.switches.push_back(*rc::gen::inRange<SwitchId>(0, whole.num_switches()));
  const Fabric left = without(whole, fault);
  Routing routing;
  try {
    routing = ist(left);
  } catch (const InputError& error) {
    RC_TAG("refused");
    return;
  }
  RC_TAG(routing.multicast ? "routed" : "routed, no multicast tree");
  const Verdict verdict = prove(left, routing);
  RC_LOG() << first_witness(verdict);
  RC_ASSERT(verdict.holds({}));
  RC_ASSERT(verdict.vls_used <= 8u);
}

TEST(Ist, the_same_fabric_gives_the_same_tables) {
  const Fabric f = assign_lids(torus({5, 7}), 2);
  EXPECT_EQ(ist(f).tables, ist(f).tables);
}

}  // namespace
}  // namespace selvedge
