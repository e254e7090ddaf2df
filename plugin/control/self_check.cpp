// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "plugin/engines/engine.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kPrefix = "selvedge-";

std::vector<std::string> words(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

/// The largest LMC up to `lmc_wanted` with which the unicast LIDs suffice for all nodes.
unsigned lmc_that_fits(const Fit& fit) {
  unsigned lmc = fit.lmc_wanted;
  while (lmc > 0 && fit.switches + ((std::uint64_t{fit.hosts} + 1) << lmc) > kMaxUnicastLid) --lmc;
  return lmc;
}

Finding lmc_finding(const OpensmFacts& facts, const Fit* fit) {
  const std::string lids = fmt::format("lmc {}: {} LID{} a host port", facts.lmc, 1u << facts.lmc,
                                       facts.lmc == 0 ? "" : "s");
  if (fit == nullptr) return {true, lids, ""};
  const unsigned fits = lmc_that_fits(*fit);
  if (facts.lmc < fits)
    return {false,
            fmt::format("{}, and {}{} wants lmc {} on this fabric: pairs have fewer disjoint paths "
                        "than they could",
                        lids, kPrefix, fit->engine, fit->lmc_wanted),
            fmt::format("write `lmc {}` in opensm.conf and start opensm again", fits)};
  if (fits < fit->lmc_wanted)
    return {true,
            fmt::format("{}: {}{} would have use for lmc {}, but {} hosts and a subnet's {} LIDs "
                        "leave no more than {}",
                        lids, kPrefix, fit->engine, fit->lmc_wanted, fit->hosts,
                        unsigned{kMaxUnicastLid}, fits),
            ""};
  if (fit->lmc_wanted == 0) return {true, lids, ""};
  return {true,
          fmt::format("{}, and {}{} wants lmc {}", lids, kPrefix, fit->engine, fit->lmc_wanted),
          ""};
}

}  // namespace

bool asks_for_us(const std::string& engines_) {
  return std::ranges::any_of(words(engines_),
                             [](const std::string& w) { return w.starts_with(kPrefix); });
}

std::vector<Finding> self_check(const OpensmFacts& facts, const Fit* fit) {
  std::vector<Finding> findings;
  auto check = [&](bool ok, std::string good, std::string bad, std::string remedy) {
    if (ok)
      findings.push_back({true, std::move(good), ""});
    else
      findings.push_back({false, std::move(bad), std::move(remedy)});
  };

  check(facts.version == facts.built_for, facts.version + " is the version built for",
        fmt::format("this is {}, the plugin was built for {}", facts.version, facts.built_for),
        "install the plugin that was built for this OpenSM");

  const auto list = words(facts.engines);
  bool ours = false, no_fallback = false;
  for (const std::string& word : list) {
    no_fallback |= word == "no_fallback";
    if (!word.starts_with(kPrefix)) continue;
    ours = true;
    const auto name = std::string_view(word).substr(kPrefix.size());
    const bool known =
        std::ranges::any_of(engines(), [&](const Engine* e) { return e->name == name; });
    std::string names;
    for (const Engine* e : engines()) names += fmt::format(" {}{}", kPrefix, e->name);
    check(known, fmt::format("engine {} is known", word),
          fmt::format("there is no engine {}: OpenSM routes by its next choice", word),
          fmt::format("write one of{} in routing_engine", names));
  }
  if (!ours) {
    findings.push_back({true, "no engine of ours in routing_engine: the plugin only observes", ""});
    return findings;
  }
  check(
      no_fallback, "no_fallback is set: only proved tables reach the switches",
      "without no_fallback OpenSM routes by minhop, which is not deadlock free on rings and tori, "
      "whenever our engine declines",
      "write `routing_engine selvedge-ENGINE,no_fallback` in opensm.conf");
  check(facts.qos, "qos is on: SL2VL tables reach the switches",
        "qos is off: OpenSM installs no SL2VL and VL arbitration tables, so engines are held to "
        "one VL "
        "and one SL",
        "write `qos TRUE` in opensm.conf");
  check(!facts.qos || facts.qos_max_vls != 1, "VLs are available",
        "qos_max_vls 1 leaves one VL; engines that need more will decline",
        "write `qos_max_vls 8` in opensm.conf");
  check(!facts.ucast_cache, "use_ucast_cache is off",
        "use_ucast_cache lets OpenSM reuse routes without asking the engine",
        "write `use_ucast_cache FALSE` in opensm.conf");
  check(facts.sweep_interval_s != 0, "sweep_interval finds changes whose traps were lost",
        "sweep_interval 0: a change whose traps are lost is never found, and a lost LFT block is "
        "never sent again",
        "write `sweep_interval 10` in opensm.conf");
  findings.push_back(lmc_finding(facts, fit));
  if (fit != nullptr && fit->vls_used > 1)
    findings.push_back(
        {true,
         fmt::format("{} VLs and {} SLs are in use: applications have to take the SL "
                     "from the path record",
                     fit->vls_used, fit->sls_used),
         ""});
  return findings;
}

}  // namespace selvedge
