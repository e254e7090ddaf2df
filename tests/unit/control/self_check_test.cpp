// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace selvedge {
namespace {

OpensmOptions good() {
  OpensmOptions options;
  options.version = options.built_for = "OpenSM 3.3.23";
  options.engines = "selvedge-updn,no_fallback";
  options.qos = true;
  options.qos_max_vls = 8;
  options.lmc = 2;
  options.sweep_interval_s = 10;
  return options;
}

TEST(SelfCheck, TheShippedFragmentPassesEveryCheck) {
  bool lmc = false;
  for (const SelfCheckItem& f : self_check(good())) {
    EXPECT_TRUE(f.ok) << f.what;
    EXPECT_EQ(f.remedy, "");
    lmc |= f.what == "lmc 2: 4 LIDs a host port";
  }
  EXPECT_TRUE(lmc);
}

TEST(SelfCheck, EachFailedCheckNamesTheLineToWrite) {
  struct Case {
    std::function<void(OpensmOptions&)> spoil;
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
    OpensmOptions options = good();
    c.spoil(options);
    std::vector<SelfCheckItem> bad;
    for (const SelfCheckItem& f : self_check(options))
      if (!f.ok) bad.push_back(f);
    ASSERT_EQ(bad.size(), 1u) << c.what;
    EXPECT_NE(bad[0].what.find(c.what), std::string::npos) << bad[0].what;
    EXPECT_NE(bad[0].remedy.find(c.remedy), std::string::npos) << bad[0].remedy;
  }
}

TEST(SelfCheck, APluginThatOnlyObservesAsksForNothing) {
  OpensmOptions options = good();
  options.engines = "updn,minhop";
  options.qos = false;
  options.sweep_interval_s = 0;
  for (const SelfCheckItem& f : self_check(options)) EXPECT_TRUE(f.ok) << f.what;
  EXPECT_FALSE(names_our_engine(options.engines));
}

const SelfCheckItem& about_lmc(const std::vector<SelfCheckItem>& items) {
  return *std::ranges::find_if(items,
                               [](const SelfCheckItem& f) { return f.what.starts_with("lmc "); });
}

TEST(SelfCheck, NamesTheLmcThatTheEngineWantsOnTheFabric) {
  OpensmOptions options = good();  // lmc 2
  EngineNeeds needs{"tftr", 4, 36, 36, 2, 4};
  EXPECT_FALSE(about_lmc(self_check(options, &needs)).ok);
  EXPECT_EQ(about_lmc(self_check(options, &needs)).what,
            "lmc 2: 4 LIDs a host port, and selvedge-tftr wants lmc 4 on this fabric: pairs have "
            "fewer disjoint paths than possible");
  EXPECT_EQ(about_lmc(self_check(options, &needs)).remedy,
            "write `lmc 4` in opensm.conf and start opensm again");
  EXPECT_EQ(self_check(options, &needs).back().what,
            "2 VLs and 4 SLs are in use: applications have to take the SL from the path record");
  for (const unsigned lmc : {4u, 5u}) {
    options.lmc = lmc;
    EXPECT_TRUE(about_lmc(self_check(options, &needs)).ok);
  }
  // 5,000 hosts: a subnet has enough LIDs for 2^3 each, not for 2^4.
  needs.hosts = 5'000;
  options.lmc = 2;
  EXPECT_NE(about_lmc(self_check(options, &needs)).remedy.find("`lmc 3`"), std::string::npos);
  options.lmc = 3;
  EXPECT_TRUE(about_lmc(self_check(options, &needs)).ok);
  EXPECT_NE(about_lmc(self_check(options, &needs)).what.find("leave no more than 3"),
            std::string::npos);
  needs.lmc_wanted = 0;
  EXPECT_EQ(about_lmc(self_check(options, &needs)).what, "lmc 3: 8 LIDs a host port");
}

TEST(SelfCheck, ListsAreSeparatedByCommasOrSpaces) {
  for (const char* list : {"selvedge-updn", "minhop,selvedge-spf", "minhop, selvedge-spf",
                           "minhop selvedge-spf", " ,selvedge-updn,, "})
    EXPECT_TRUE(names_our_engine(list)) << list;
  for (const char* list : {"", "(null)", "updn", "my-selvedge-updn"})
    EXPECT_FALSE(names_our_engine(list)) << list;
}

}  // namespace
}  // namespace selvedge
