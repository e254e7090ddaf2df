// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/self_check.hpp"

#include <gtest/gtest.h>

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

TEST(SelfCheck, ListsAreSeparatedByCommasOrSpaces) {
  for (const char* list : {"selvedge-updn", "minhop,selvedge-spf", "minhop, selvedge-spf",
                           "minhop selvedge-spf", " ,selvedge-updn,, "})
    EXPECT_TRUE(asks_for_us(list)) << list;
  for (const char* list : {"", "(null)", "updn", "my-selvedge-updn"})
    EXPECT_FALSE(asks_for_us(list)) << list;
}

}  // namespace
}  // namespace selvedge
