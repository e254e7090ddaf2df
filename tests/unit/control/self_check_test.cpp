// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "plugin/engines/engine.hpp"

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

/// All findings, a line each: what an operator reads.
std::string lines(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += (f.ok ? "ok: " : "BAD: ") + f.what + (f.remedy.empty() ? "" : " | " + f.remedy) + "\n";
  return text;
}

TEST(SelfCheck, EveryLineToTheLetter) {
  const Fit fit{"tftr", 2, 36, 36, 1, 4};
  EXPECT_EQ(lines(self_check(good(), &fit)),
            "ok: OpenSM 3.3.23 is the version built for\n"
            "ok: engine selvedge-updn is known\n"
            "ok: no_fallback is set: only proved tables reach the switches\n"
            "ok: qos is on: SL2VL tables reach the switches\n"
            "ok: VLs are available\n"
            "ok: use_ucast_cache is off\n"
            "ok: sweep_interval finds changes whose traps were lost\n"
            "ok: lmc 2: 4 LIDs a host port, and selvedge-tftr wants lmc 2\n");
  OpensmFacts bad;
  bad.version = "a";
  bad.built_for = "b";
  bad.engines = "minhop selvedge-no,selvedge-spf";
  bad.qos_max_vls = 1;
  bad.ucast_cache = true;
  std::string names;
  for (const Engine* e : engines()) names += fmt::format(" selvedge-{}", e->name);
  const Fit two_vls{"spf", 0, 36, 36, 2, 4};
  EXPECT_EQ(lines(self_check(bad, &two_vls)),
            "BAD: this is a, the plugin was built for b | install the plugin that was built for "
            "this OpenSM\n"
            "BAD: there is no engine selvedge-no: OpenSM routes by its next choice | write one of" +
                names +
                " in routing_engine\n"
                "ok: engine selvedge-spf is known\n"
                "BAD: without no_fallback OpenSM routes by minhop, which is not deadlock free on "
                "rings and tori, whenever our engine declines | write `routing_engine "
                "selvedge-ENGINE,no_fallback` in opensm.conf\n"
                "BAD: qos is off: OpenSM installs no SL2VL and VL arbitration tables, so engines "
                "are held to one VL and one SL | write `qos TRUE` in opensm.conf\n"
                "ok: VLs are available\n"
                "BAD: use_ucast_cache lets OpenSM reuse routes without asking the engine | write "
                "`use_ucast_cache FALSE` in opensm.conf\n"
                "BAD: sweep_interval 0: a change whose traps are lost is never found, and a lost "
                "LFT block is never sent again | write `sweep_interval 10` in opensm.conf\n"
                "ok: lmc 0: 1 LID a host port\n"
                "ok: 2 VLs and 4 SLs are in use: applications have to take the SL from the path "
                "record\n");
  bad.qos = true;
  EXPECT_NE(lines(self_check(bad))
                .find("BAD: qos_max_vls 1 leaves one VL; engines that need more "
                      "will decline | write `qos_max_vls 8` in opensm.conf\n"),
            std::string::npos);
  bad.engines = "updn";
  EXPECT_EQ(lines(self_check(bad)),
            "BAD: this is a, the plugin was built for b | install the plugin that was built for "
            "this OpenSM\n"
            "ok: no engine of ours in routing_engine: the plugin only observes\n");
}

/// Every switch has one LID, every host 2^lmc, and the highest is 0xbfff; one host's worth is lost
/// to alignment.
TEST(SelfCheck, TheLmcThatFitsIsExact) {
  for (const unsigned wanted : {1u, 4u, 7u})
    for (unsigned lmc = 0; lmc <= wanted; ++lmc)
      for (const int more : {-1, 0, 1}) {
        Fit fit{"tftr", wanted, 0, 0, 1, 1};
        fit.hosts = (0xbfffu >> lmc) - 1;
        fit.switches = (0xbfffu & ((1u << lmc) - 1)) + static_cast<unsigned>(more);
        if (more < 0 && fit.switches > 0xbfff) continue;
        unsigned fits = 0;
        for (unsigned l = 0; l <= wanted; ++l)
          if (fit.switches + ((fit.hosts + 1ull) << l) <= 0xbfff) fits = l;
        OpensmFacts facts = good();
        facts.lmc = 0;
        const std::vector<Finding> findings = self_check(facts, &fit);
        const Finding& found = about_lmc(findings);
        EXPECT_EQ(found.ok, fits == 0) << wanted << " " << lmc << " " << more;
        EXPECT_EQ(found.remedy,
                  fits == 0
                      ? ""
                      : fmt::format("write `lmc {}` in opensm.conf and start opensm again", fits));
      }
}

}  // namespace
}  // namespace selvedge
