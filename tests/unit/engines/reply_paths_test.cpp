// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables whose responses on the request's SL are safe: the verifier finds the grade that was
// asked for, and no pair has fewer disjoint paths than without it.
#include "plugin/engines/reply_paths.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {
namespace {

Routing route(const std::string& engine, const Fabric& fabric, ReplyGrade grade,
              bool if_possible = false, unsigned max_vls = 8, unsigned max_sls = 16) {
  EngineRequest request;
  request.replies = grade;
  request.replies_if_possible = if_possible;
  request.max_vls = max_vls;
  request.max_sls = max_sls;
  return compute_with_replies(find_engine(engine), fabric, request);
}

/// The verdict with the multicast tree, which shares the VLs of SL 0.
Verdict proved(const Fabric& fabric, const Routing& routing) {
  Tables tables = routing.tables;
  tables.mft = broadcast_group(fabric, routing.multicast);
  return verify(fabric, tables, {.replies = true}).verdict();
}

bool sound(const Verdict& v) {
  return v.connected && v.loop_free && v.deadlock_free && v.multicast_faults == 0;
}

Fabric torus_of(const std::string& sizes, unsigned lmc) {
  return assign_lids(make_fabric("torus:" + sizes), lmc);
}

/// What each engine makes of a request for a grade, on a fabric that it is for: the highest grade
/// that holds, "refused", or "none" for tables that can deadlock. docs/engines.md states the same.
TEST(ReplyPaths, EachEngineHasTheGradeThatTheDocumentsState) {
  struct Case {
    const char *engine, *fabric;
    unsigned lmc;
    const char *own_sl, *base, *same_sl;
  };
  const std::vector<Case> cases = {
      {"updn", "torus:5x5", 2, "same-sl", "same-sl", "same-sl"},
      {"updn", "irregular:switches=20,degree=4,seed=5", 3, "same-sl", "same-sl", "same-sl"},
      {"dmodk", "tree:k=4,n=2", 2, "same-sl", "same-sl", "same-sl"},
      {"dmodk", "clos:n=4,r=5,m=3", 1, "same-sl", "same-sl", "same-sl"},
      {"tftr", "torus:5x5", 4, "own-sl", "base", "same-sl"},
      {"tftr", "irregular:switches=20,degree=4,seed=5", 4, "own-sl", "base", "same-sl"},
      {"tftr", "tree:k=4,n=2", 2, "same-sl", "same-sl", "same-sl"},
      {"spftr", "torus:5x5", 4, "own-sl", "base", "same-sl"},
      {"spftr", "torus:6x6", 4, "own-sl", "base", "refused"},
      {"aspftr", "torus:5x5", 4, "own-sl", "base", "same-sl"},
      {"aspftr", "torus:6x6", 4, "own-sl", "base", "refused"},
      {"ist", "torus:5x5", 3, "own-sl", "base", "same-sl"},
      {"ist", "torus:5x5", 2, "own-sl", "refused", "same-sl"},
      {"ist", "torus:9x9", 2, "own-sl", "refused", "refused"},
      {"spf", "torus:5x5", 0, "none", "none", "none"},
      {"tree", "torus:5x5", 2, "same-sl", "same-sl", "same-sl"},
      {"multipath", "irregular:switches=15,degree=4,links=23,seed=1", 3, "base", "base", "same-sl"},
      {"martinez", "torus:5x5", 2, "none", "none", "none"},
      {"balanced", "torus:5x5", 2, "same-sl", "same-sl", "same-sl"},
      {"balanced", "irregular:switches=20,degree=4,seed=5", 1, "same-sl", "same-sl", "same-sl"},
      {"balanced", "tree:k=4,n=2", 2, "same-sl", "same-sl", "same-sl"},
      {"dor", "torus:5x5", 1, "same-sl", "same-sl", "same-sl"},
      {"dor", "torus:8x8", 0, "own-sl", "same-sl", "same-sl"},
      {"dor", "mesh:4x3", 0, "same-sl", "same-sl", "same-sl"},
      {"auto", "torus:5x5", 3, "own-sl", "base", "same-sl"},
      {"auto", "tree:k=4,n=2", 2, "same-sl", "same-sl", "same-sl"},
  };
  for (const Engine* engine : engines())  // a new engine states its grades here
    EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& c) { return c.engine == engine->name; }))
        << engine->name;
  for (const Case& c : cases) {
    const Fabric f = assign_lids(make_fabric(c.fabric), c.lmc);
    for (const auto& [asked, expected] :
         {std::pair{ReplyGrade::kOwnSl, c.own_sl}, std::pair{ReplyGrade::kBase, c.base},
          std::pair{ReplyGrade::kSameSl, c.same_sl}}) {
      std::string found = "refused";
      try {
        const auto grade = proved(f, route(c.engine, f, asked)).grade();
        found = grade ? name(*grade) : "none";
      } catch (const InputError&) {
      }
      EXPECT_EQ(found, expected) << c.engine << ' ' << c.fabric << ' ' << name(asked);
    }
  }
}

// The same VLs and SLs as without: an up*/down* path fits SL 0 of tftr as it is.
TEST(ReplyPaths, TftrNeedsNoFurtherVl) {
  for (const char* sizes : {"4x4", "5x5", "6x6", "3x3x3"}) {
    const Fabric f = torus_of(sizes, 4);
    const Routing own = route("tftr", f, ReplyGrade::kOwnSl);
    const Routing base = route("tftr", f, ReplyGrade::kBase);
    const Verdict before = proved(f, own), after = proved(f, base);
    EXPECT_EQ(before.grade(), ReplyGrade::kOwnSl) << sizes;
    EXPECT_EQ(after.grade(), ReplyGrade::kBase) << sizes;
    EXPECT_TRUE(sound(after)) << sizes;
    EXPECT_EQ(after.vls_used, before.vls_used) << sizes;
    EXPECT_EQ(after.sls_used, before.sls_used) << sizes;
    EXPECT_EQ(measure(f, base.tables).disjoint, measure(f, own.tables).disjoint) << sizes;
  }
}

TEST(ReplyPaths, OthersTakeAVlAndAnSlOfTheirOwn) {
  struct Case {
    const char *engine, *sizes;
    unsigned lmc;
  };
  for (const Case& c : {Case{"ist", "4x4", 3}, Case{"ist", "5x5", 3}, Case{"ist", "8x8", 3},
                        Case{"spftr", "5x5", 4}, Case{"aspftr", "6x6", 4}}) {
    const Fabric f = torus_of(c.sizes, c.lmc);
    const Routing own = route(c.engine, f, ReplyGrade::kOwnSl);
    const Routing base = route(c.engine, f, ReplyGrade::kBase);
    const Verdict before = proved(f, own), after = proved(f, base);
    EXPECT_EQ(after.grade(), ReplyGrade::kBase) << c.engine << ' ' << c.sizes;
    EXPECT_TRUE(sound(after)) << c.engine << ' ' << c.sizes;
    EXPECT_EQ(after.vls_used, before.vls_used + 1) << c.engine << ' ' << c.sizes;
    EXPECT_EQ(after.sls_used, before.sls_used + 1) << c.engine << ' ' << c.sizes;
    EXPECT_EQ(measure(f, base.tables).disjoint, measure(f, own.tables).disjoint)
        << c.engine << ' ' << c.sizes;
  }
}

TEST(ReplyPaths, TablesOfOneSlStayAsTheyAre) {
  const Fabric f = torus_of("4x4", 1);
  EXPECT_EQ(route("updn", f, ReplyGrade::kBase).tables,
            route("updn", f, ReplyGrade::kOwnSl).tables);
  EXPECT_EQ(proved(f, route("updn", f, ReplyGrade::kBase)).grade(), ReplyGrade::kSameSl);
}

TEST(ReplyPaths, WhatDoesNotFitIsRefusedWithTheArithmetic) {
  const auto message = [](auto&& compute) -> std::string {
    try {
      compute();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  // The four trees of ist take all four LIDs.
  const Fabric four = torus_of("6x6", 2), eight = torus_of("6x6", 3);
  EXPECT_NE(message([&] { route("ist", four, ReplyGrade::kBase); }).find("a host's 4 LIDs"),
            std::string::npos);
  const Routing possible = route("ist", four, ReplyGrade::kBase, true);
  EXPECT_EQ(possible.tables, route("ist", four, ReplyGrade::kOwnSl).tables);
  ASSERT_FALSE(possible.remarks.empty());
  EXPECT_NE(possible.remarks.back().find("a host's 4 LIDs"), std::string::npos);
  EXPECT_NE(message([&] { route("ist", eight, ReplyGrade::kBase, false, 3); }), "");
  EXPECT_EQ(message([&] { route("ist", eight, ReplyGrade::kBase, false, 4); }), "");
  EXPECT_NE(message([&] {
              route("spftr", torus_of("5x5", 4), ReplyGrade::kBase, false, 2, 16);
            }).find("2 + 1 VLs of 2"),
            std::string::npos);
}

/// The SL of a pair is the same in both directions and for all LIDs.
bool one_sl_a_pair(const Fabric& fabric, const Tables& tables) {
  for (const Host& a : fabric.hosts())
    for (const Host& b : fabric.hosts()) {
      if (a.at == b.at) continue;
      for (unsigned i = 0; i < b.lid_count(); ++i)
        if (tables.sl(a.at, static_cast<Lid>(b.lid + i)) != tables.sl(b.at, a.lid)) return false;
    }
  return true;
}

TEST(ReplyPaths, SameSlKeepsNextHopsWhereSlsSuffice) {
  struct Case {
    const char *engine, *fabric;
    unsigned lmc;
  };
  for (const Case& c :
       {Case{"tftr", "torus:4x4", 4}, Case{"tftr", "torus:6x6", 4}, Case{"tftr", "torus:3x3x3", 4},
        Case{"tftr", "irregular:switches=20,degree=4,seed=5", 4}, Case{"spftr", "torus:5x5", 4},
        Case{"aspftr", "torus:4x4", 4}, Case{"ist", "torus:6x6", 2}, Case{"ist", "torus:7x7", 2},
        Case{"ist", "torus:3x3x3", 3},
        Case{"multipath", "irregular:switches=15,degree=4,links=23,seed=1", 3}}) {
    const Fabric f = assign_lids(make_fabric(c.fabric), c.lmc);
    const Tables own = route(c.engine, f, ReplyGrade::kOwnSl).tables;
    const Routing same = route(c.engine, f, ReplyGrade::kSameSl);
    const Verdict v = proved(f, same);
    EXPECT_EQ(v.grade(), ReplyGrade::kSameSl) << c.engine << ' ' << c.fabric;
    EXPECT_TRUE(sound(v)) << c.engine << ' ' << c.fabric;
    EXPECT_TRUE(v.vls_used <= 8 && v.sls_used <= 16) << c.engine << ' ' << c.fabric;
    EXPECT_TRUE(one_sl_a_pair(f, same.tables)) << c.engine << ' ' << c.fabric;
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      EXPECT_TRUE(std::ranges::equal(own.lft(s), same.tables.lft(s)))
          << c.engine << ' ' << c.fabric;
  }
}

TEST(ReplyPaths, SameSlElseIsOneSlOrRefusedWithTheArithmetic) {
  // With one SL tftr still routes. With few SLs it says how many would keep its paths.
  const Fabric f = torus_of("5x5", 4);
  for (const unsigned sls : {1u, 4u}) {
    const Routing one = route("tftr", f, ReplyGrade::kSameSl, false, 8, sls);
    const Verdict v = proved(f, one);
    EXPECT_EQ(v.grade(), ReplyGrade::kSameSl);
    EXPECT_EQ(v.sls_used, 1u);
    EXPECT_TRUE(sound(v));
    if (sls == 1) continue;
    ASSERT_FALSE(one.remarks.empty());
    EXPECT_NE(one.remarks.back().find("with 8 VLs, as far as was found, and there are 4"),
              std::string::npos)
        << one.remarks.back();
  }
  const auto message = [](const char* engine, const Fabric& fabric, unsigned vls, unsigned sls) {
    try {
      route(engine, fabric, ReplyGrade::kSameSl, false, vls, sls);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message("ist", torus_of("6x6", 2), 8, 4).find("SLs with 8 VLs"), std::string::npos);
  EXPECT_NE(message("spftr", f, 2, 16).find("does not fit 2 VLs"), std::string::npos);
  EXPECT_NE(message("ist", torus_of("9x9", 2), 8, 16).find("and there are 16"), std::string::npos);
}

/// The mean number of disjoint paths of a pair.
double mean(const std::map<unsigned, double>& shares) {
  double sum = 0;
  for (const auto& [paths, share] : shares) sum += paths * share;
  return sum;
}

/// On any fabric, whole or damaged, at any LMC: what an engine does not refuse is of the grade.
RC_GTEST_PROP(ReplyPathsProperty, TheGradeThatWasAskedForHolds, ()) {
  const auto engine = *rc::gen::element<std::string>("tftr", "spftr", "aspftr", "ist", "updn");
  const auto lmc = *rc::gen::inRange(0u, 5u);
  const auto seed = *rc::gen::inRange(1u, 1000u);
  const auto a = *rc::gen::inRange(3u, 6u), b = *rc::gen::inRange(3u, 6u);
  const bool irregular = *rc::gen::arbitrary<bool>();
  const Fabric whole = assign_lids(
      make_fabric(irregular ? "irregular:switches=12,degree=3,seed=" + std::to_string(seed)
                            : "torus:" + std::to_string(a) + "x" + std::to_string(b)),
      lmc);
  Fault fault;
  if (*rc::gen::arbitrary<bool>())
    fault.links.push_back(whole.links()[*rc::gen::inRange<std::size_t>(0, whole.links().size())]);
  const Fabric f = without(whole, fault);
  try {
    const Routing same = route(engine, f, ReplyGrade::kSameSl);
    const Verdict v = proved(f, same);
    RC_ASSERT(sound(v));
    RC_ASSERT(v.grade() == ReplyGrade::kSameSl);
    RC_ASSERT(v.vls_used <= 8u && v.sls_used <= 16u);
  } catch (const InputError&) {
  }
  std::optional<Routing> own, base;
  try {
    own = route(engine, f, ReplyGrade::kOwnSl);
    base = route(engine, f, ReplyGrade::kBase);
  } catch (const InputError&) {
    return;
  }
  const Verdict before = proved(f, *own), after = proved(f, *base);
  RC_ASSERT(after.connected == before.connected && after.loop_free && after.deadlock_free);
  RC_ASSERT(after.grade().value() >= ReplyGrade::kBase);
  RC_ASSERT(after.vls_used <= 8u && after.sls_used <= 16u);
  const auto had = measure(f, own->tables).disjoint, has = measure(f, base->tables).disjoint;
  // The path of a base LID may be one more, and tftr searches anew.
  RC_ASSERT(mean(has) > mean(had) - 1e-9);
}

}  // namespace
}  // namespace selvedge
