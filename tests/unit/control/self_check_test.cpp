// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "plugin/engines/engine.hpp"

namespace selvedge {
namespace {

OpensmOptions good() {
  OpensmOptions options;
  options.version = options.built_for = "OpenSM 3.3.23";
  options.engines = "selvedge-updn,no_fallback";
  options.qos = true;
  options.qos_max_vls = 8;
  options.lmc = options.lmc_before = 2;
  options.port_before = "mlx5_0 port 1 with LID 7";
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

/// The item about options of routing; every other one must pass.
SelfCheckItem routing_item(const OpensmOptions& options, const EngineNeeds* needs = nullptr) {
  std::vector<SelfCheckItem> bad;
  for (const SelfCheckItem& item : self_check(options, needs))
    if (!item.ok) bad.push_back(item);
  EXPECT_LE(bad.size(), 1u);
  return bad.empty() ? SelfCheckItem{} : bad.front();
}

TEST(SelfCheck, EveryOptionOfRoutingIsHonouredOrNamed) {
  for (const RoutingOption& option : routing_options())
    for (const Engine* engine : engines()) {
      OpensmOptions options = good();
      options.engines = fmt::format("selvedge-{},no_fallback", engine->name);
      options.routing = {{std::string(option.name), "x"}};
      const bool honoured =
          std::ranges::find(option.honoured_by, engine->name) != option.honoured_by.end();
      const SelfCheckItem item = routing_item(options);
      EXPECT_EQ(item.ok, honoured || option.with_one_sl || option.by_all)
          << option.name << engine->name;
      if (!item.ok) {
        EXPECT_EQ(item.what, fmt::format("opensm.conf sets what has no effect with selvedge-{}: {}",
                                         engine->name, option.name));
        EXPECT_NE(item.remedy.find("take these lines out"), std::string::npos);
      }
    }
}

TEST(SelfCheck, OptionsWithoutEffectAreOneLine) {
  OpensmOptions options = good();
  options.routing = {{"root_guid_file", "/r"},
                     {"scatter_ports", "7"},
                     {"sm_sl", "1"},
                     {"lfts_file", "/w"},
                     {"not_of_routing", "1"}};
  EXPECT_EQ(routing_item(options).what,
            "opensm.conf sets what has no effect with selvedge-updn: scatter_ports, lfts_file");
  // The engine that OpenSM has called counts, and so do the SLs of its tables.
  EngineNeeds needs;
  needs.engine = "ist";
  needs.switches = needs.hosts = 4;
  needs.sls_used = 4;
  EXPECT_EQ(routing_item(options, &needs).what,
            "opensm.conf sets what has no effect with selvedge-ist: root_guid_file, scatter_ports, "
            "sm_sl, lfts_file");
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
      {[](auto& f) { f.port_before = "mlx5_0 port 1 with LID 7", f.lmc_before = 3; },
       "lmc 2 in opensm.conf, and mlx5_0 port 1 with LID 7 still has lmc 3", "`lmc 3`"},
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

TEST(SelfCheck, NamesTheLmcWithWhichBaseLidsHavePathsOfTheirOwn) {
  OpensmOptions options = good();  // lmc 2
  EngineNeeds needs{"ist", 2, 36, 36, 3, 4, 3};
  EXPECT_FALSE(about_lmc(self_check(options, &needs)).ok);
  EXPECT_EQ(
      about_lmc(self_check(options, &needs)).what,
      "lmc 2: 4 LIDs a host port, all of them for the disjoint paths of selvedge-ist: base LIDs "
      "have no paths of their own, and longer ones than with lmc 3");
  EXPECT_EQ(about_lmc(self_check(options, &needs)).remedy,
            "write `lmc 3` in opensm.conf and start opensm again");
  options.lmc = 1;  // fewer disjoint paths come first
  EXPECT_NE(about_lmc(self_check(options, &needs)).what.find("fewer disjoint paths"),
            std::string::npos);
  EXPECT_EQ(about_lmc(self_check(options, &needs)).remedy,  // one restart is enough
            "write `lmc 3` in opensm.conf and start opensm again");
  options.lmc = 3;
  EXPECT_TRUE(about_lmc(self_check(options, &needs)).ok);
  options.lmc = 2;
  needs.hosts = 6'200;  // a subnet has LIDs for 2^2 each, not for 2^3
  EXPECT_TRUE(about_lmc(self_check(options, &needs)).ok);
  EXPECT_EQ(about_lmc(self_check(options, &needs)).what,
            "lmc 2: 4 LIDs a host port, and selvedge-ist wants lmc 2");
}

TEST(SelfCheck, ListsAreSeparatedByCommasOrSpaces) {
  for (const char* list : {"selvedge-updn", "minhop,selvedge-spf", "minhop, selvedge-spf",
                           "minhop selvedge-spf", " ,selvedge-updn,, "})
    EXPECT_TRUE(names_our_engine(list)) << list;
  for (const char* list : {"", "(null)", "updn", "my-selvedge-updn"})
    EXPECT_FALSE(names_our_engine(list)) << list;
}

/// All items as the operator reads them, a line each.
std::string log_lines(const std::vector<SelfCheckItem>& items) {
  std::string text;
  for (const SelfCheckItem& f : items)
    text += (f.ok ? "ok: " : "BAD: ") + f.what + (f.remedy.empty() ? "" : " | " + f.remedy) + "\n";
  return text;
}

TEST(SelfCheck, EveryLineToTheLetter) {
  const EngineNeeds needs{"tftr", 2, 36, 36, 1, 4};
  EXPECT_EQ(log_lines(self_check(good(), &needs)),
            "ok: OpenSM 3.3.23 is the version that the plugin was built for\n"
            "ok: engine selvedge-updn is known\n"
            "ok: no_fallback is set: only proved tables reach the switches\n"
            "ok: qos is on: SL2VL tables reach the switches\n"
            "ok: VLs are available\n"
            "ok: use_ucast_cache is off\n"
            "ok: sweep_interval finds changes whose traps were lost\n"
            "ok: lmc 2: 4 LIDs a host port, and selvedge-tftr wants lmc 2\n"
            "ok: no option of routing is set that has no effect\n");
  OpensmOptions bad;
  bad.version = "a";
  bad.built_for = "b";
  bad.engines = "minhop selvedge-no,selvedge-spf";
  bad.qos_max_vls = 1;
  bad.ucast_cache = true;
  std::string names;
  for (const Engine* e : engines()) names += fmt::format(" selvedge-{}", e->name);
  const EngineNeeds two_vls{"spf", 0, 36, 36, 2, 4};
  EXPECT_EQ(log_lines(self_check(bad, &two_vls)),
            "BAD: this is a, the plugin was built for b | install the plugin that was built for "
            "this OpenSM\n"
            "BAD: there is no engine selvedge-no: OpenSM routes by its next choice | write one of" +
                names +
                " in routing_engine\n"
                "ok: engine selvedge-spf is known\n"
                "BAD: without no_fallback OpenSM routes by minhop, which is not deadlock free on "
                "rings and tori, when Selvedge's engine declines | write `routing_engine "
                "selvedge-ENGINE,no_fallback` in opensm.conf\n"
                "BAD: qos is off: OpenSM installs no SL2VL and VL arbitration tables, so engines "
                "are limited to one VL and one SL | write `qos TRUE` in opensm.conf\n"
                "ok: VLs are available\n"
                "BAD: use_ucast_cache lets OpenSM reuse routes without asking the engine | write "
                "`use_ucast_cache FALSE` in opensm.conf\n"
                "BAD: sweep_interval 0: a change whose traps are lost is never found, and a lost "
                "LFT block is never sent again | write `sweep_interval 10` in opensm.conf\n"
                "ok: lmc 0: 1 LID a host port\n"
                "ok: no option of routing is set that has no effect\n"
                "ok: 2 VLs and 4 SLs are in use: applications have to take the SL from the path "
                "record\n");
  bad.qos = true;
  EXPECT_NE(log_lines(self_check(bad))
                .find("BAD: qos_max_vls 1 leaves one VL; engines that need more "
                      "will decline | write `qos_max_vls 8` in opensm.conf\n"),
            std::string::npos);
  bad.engines = "updn";
  EXPECT_EQ(log_lines(self_check(bad)),
            "BAD: this is a, the plugin was built for b | install the plugin that was built for "
            "this OpenSM\n"
            "ok: no selvedge-ENGINE in routing_engine: the plugin only observes\n");
}

/// Every switch has one LID, every host 2^lmc, and the highest LID is 0xbfff. The alignment of the
/// hosts' LIDs costs at most as many LIDs as one host has.
TEST(SelfCheck, TheLargestLmcIsExact) {
  for (const unsigned wanted : {1u, 4u, 7u})
    for (unsigned lmc = 0; lmc <= wanted; ++lmc)
      for (const int more : {-1, 0, 1}) {
        EngineNeeds needs{"tftr", wanted, 0, 0, 1, 1};
        needs.hosts = (0xbfffu >> lmc) - 1;
        needs.switches = (0xbfffu & ((1u << lmc) - 1)) + static_cast<unsigned>(more);
        if (more < 0 && needs.switches > 0xbfff) continue;
        unsigned fits = 0;
        for (unsigned l = 0; l <= wanted; ++l)
          if (needs.switches + ((needs.hosts + 1ull) << l) <= 0xbfff) fits = l;
        OpensmOptions options = good();
        options.lmc = 0;
        const std::vector<SelfCheckItem> items = self_check(options, &needs);
        const SelfCheckItem& found = about_lmc(items);
        EXPECT_EQ(found.ok, fits == 0) << wanted << " " << lmc << " " << more;
        EXPECT_EQ(found.remedy,
                  fits == 0
                      ? ""
                      : fmt::format("write `lmc {}` in opensm.conf and start opensm again", fits));
      }
}

}  // namespace
}  // namespace selvedge
