// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace selvedge {
namespace {

OpensmFacts good() {
  OpensmFacts facts;
  facts.version = facts.built_for = "OpenSM 3.3.23";
  facts.engines = "selvedge-updn,no_fallback";
  facts.qos = true;
  facts.qos_max_vls = 8;
  facts.lmc = 2;
  facts.sweep_interval_s = 10;
  return facts;
}

TEST(SelfCheck, NothingIsMissingFromTheFragmentThatShips) {
  bool lmc = false;
  for (const Finding& f : self_check(good())) {
    EXPECT_TRUE(f.ok) << f.what;
    EXPECT_EQ(f.remedy, "");
    lmc |= f.what == "lmc 2: 4 LIDs a host port";
  }
  EXPECT_TRUE(lmc);
}

TEST(SelfCheck, EachLackComesWithTheLineToWrite) {
  struct Case {
    std::function<void(OpensmFacts&)> spoil;
    const char *what, *remedy;
  };
  const Case cases[] = {
      {[](auto& f) { f.version = "OpenSM 3.3.24"; },
       "this is OpenSM 3.3.24, the plugin was built for OpenSM 3.3.23", "built for this OpenSM"},
      {[](auto& f) { f.engines = "selvedge-updn"; }, "without no_fallback",
       "routing_engine selvedge-ENGINE,no_fallback"},
      {[](auto& f) { f.engines = "selvedge-updwn no_fallback"; }, "no engine selvedge-updwn",
       "selvedge-updn selvedge-spf"},
      {[](auto& f) { f.qos = false; }, "qos is off", "`qos TRUE`"},
      {[](auto& f) { f.qos_max_vls = 1; }, "leaves one VL", "`qos_max_vls 8`"},
      {[](auto& f) { f.ucast_cache = true; }, "use_ucast_cache", "`use_ucast_cache FALSE`"},
      {[](auto& f) { f.sweep_interval_s = 0; }, "sweep_interval 0", "`sweep_interval 10`"},
  };
  for (const Case& c : cases) {
    OpensmFacts facts = good();
    c.spoil(facts);
    std::vector<Finding> bad;
    for (const Finding& f : self_check(facts))
      if (!f.ok) bad.push_back(f);
    ASSERT_EQ(bad.size(), 1u) << c.what;
    EXPECT_NE(bad[0].what.find(c.what), std::string::npos) << bad[0].what;
    EXPECT_NE(bad[0].remedy.find(c.remedy), std::string::npos) << bad[0].remedy;
  }
}

TEST(SelfCheck, APluginThatOnlyObservesAsksForNothing) {
  OpensmFacts facts = good();
  facts.engines = "updn,minhop";
  facts.qos = false;
  facts.sweep_interval_s = 0;
  for (const Finding& f : self_check(facts)) EXPECT_TRUE(f.ok) << f.what;
  EXPECT_FALSE(asks_for_us(facts.engines));
}

const Finding& about_lmc(const std::vector<Finding>& findings) {
  return *std::ranges::find_if(findings,
                               [](const Finding& f) { return f.what.starts_with("lmc "); });
}

TEST(SelfCheck, NamesTheLmcThatTheEngineWantsOnTheFabric) {
  OpensmFacts facts = good();  // lmc 2
  Fit fit{"tftr", 4, 36, 36, 2, 4};
  EXPECT_FALSE(about_lmc(self_check(facts, &fit)).ok);
  EXPECT_EQ(about_lmc(self_check(facts, &fit)).what,
            "lmc 2: 4 LIDs a host port, and selvedge-tftr wants lmc 4 on this fabric: pairs have "
            "fewer disjoint paths than they could");
  EXPECT_EQ(about_lmc(self_check(facts, &fit)).remedy,
            "write `lmc 4` in opensm.conf and start opensm again");
  EXPECT_EQ(self_check(facts, &fit).back().what,
            "2 VLs and 4 SLs are in use: applications have to take the SL from the path record");
  for (const unsigned lmc : {4u, 5u}) {
    facts.lmc = lmc;
    EXPECT_TRUE(about_lmc(self_check(facts, &fit)).ok);
  }
  // 5,000 hosts: a subnet has enough LIDs for 2^3 each, not for 2^4.
  fit.hosts = 5'000;
  facts.lmc = 2;
  EXPECT_NE(about_lmc(self_check(facts, &fit)).remedy.find("`lmc 3`"), std::string::npos);
  facts.lmc = 3;
  EXPECT_TRUE(about_lmc(self_check(facts, &fit)).ok);
  EXPECT_NE(about_lmc(self_check(facts, &fit)).what.find("leave no more than 3"),
            std::string::npos);
  fit.lmc_wanted = 0;
  EXPECT_EQ(about_lmc(self_check(facts, &fit)).what, "lmc 3: 8 LIDs a host port");
}

TEST(SelfCheck, ListsAreSeparatedByCommasOrSpaces) {
  for (const char* list : {"selvedge-updn", "minhop,selvedge-spf", "minhop, selvedge-spf",
                           "minhop selvedge-spf", " ,selvedge-updn,, "})
    EXPECT_TRUE(asks_for_us(list)) << list;
  for (const char* list : {"", "(null)", "updn", "my-selvedge-updn"})
    EXPECT_FALSE(asks_for_us(list)) << list;
}

}  // namespace
}  // namespace selvedge
