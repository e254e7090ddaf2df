// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/self_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// The largest LMC up to `lmc` for which there are enough unicast LIDs for all nodes.
unsigned largest_lmc(const EngineNeeds& needs, unsigned lmc) {
  while (lmc > 0 && needs.switches + ((std::uint64_t{needs.hosts} + 1) << lmc) > kMaxUnicastLid)
    --lmc;
  return lmc;
}

SelfCheckItem check_lmc(const OpensmOptions& options, const EngineNeeds* needs) {
  const std::string lids = fmt::format("lmc {}: {} LID{} a host port", options.lmc,
                                       1u << options.lmc, options.lmc == 0 ? "" : "s");
  if (needs == nullptr) return {true, lids, ""};
  const unsigned fits = largest_lmc(*needs, needs->lmc_wanted);
  // Who has to start opensm again gives base LIDs what they need at once.
  const unsigned best = std::max(fits, largest_lmc(*needs, needs->lmc_base));
  if (options.lmc < fits)
    return {false,
            fmt::format("{}, and {}{} wants lmc {} on this fabric: pairs have fewer disjoint paths "
                        "than possible",
                        lids, kPrefix, needs->engine, std::max(needs->lmc_wanted, needs->lmc_base)),
            fmt::format("write `lmc {}` in opensm.conf and start opensm again", best)};
  if (const unsigned more = largest_lmc(*needs, needs->lmc_base);
      options.lmc < more && needs->lmc_wanted < more)
    return {false,
            fmt::format("{}, all of them for the disjoint paths of {}{}: base LIDs have no paths "
                        "of their own, and longer ones than with lmc {}",
                        lids, kPrefix, needs->engine, more),
            fmt::format("write `lmc {}` in opensm.conf and start opensm again", more)};
  if (fits < needs->lmc_wanted)
    return {true,
            fmt::format("{}: {}{} could use lmc {}, but {} hosts and a subnet's {} LIDs "
                        "leave no more than {}",
                        lids, kPrefix, needs->engine, needs->lmc_wanted, needs->hosts,
                        unsigned{kMaxUnicastLid}, fits),
            ""};
  if (needs->lmc_wanted == 0) return {true, lids, ""};
  return {true, fmt::format("{}, and {}{} wants lmc {}", lids, kPrefix, needs->engine, best), ""};
}

/// Another LMC moves the LIDs of hosts as soon as this OpenSM is the master. The fabric's own is
/// that of the local port, which whoever managed it before has set.
SelfCheckItem check_lmc_before(const OpensmOptions& options) {
  return {false,
          fmt::format("lmc {} in opensm.conf, and {} still has lmc {}: once this OpenSM is the "
                      "master, hosts get other LIDs, and connections to the old ones end",
                      options.lmc, options.port_before, options.lmc_before),
          fmt::format("write `lmc {}` in opensm.conf to keep the LIDs, or change it while nothing "
                      "runs over the fabric",
                      options.lmc_before)};
}

/// One line for all options of routing that have no effect. `engine`: the one that OpenSM calls, or
/// will call first.
SelfCheckItem check_routing(const OpensmOptions& options, const EngineNeeds* needs,
                            const std::string& engine) {
  const std::vector<std::string> names =
      without_effect(options.routing, engine, needs == nullptr || needs->sls_used <= 1);
  if (names.empty()) return {true, "no option of routing is set that has no effect", ""};
  return {false,
          fmt::format("opensm.conf sets what has no effect with {}{}: {}", kPrefix, engine,
                      fmt::join(names, ", ")),
          "take these lines out of opensm.conf, or route by an engine of OpenSM's that reads them"};
}

}  // namespace

bool names_our_engine(const std::string& engines_) {
  return std::ranges::any_of(words(engines_),
                             [](const std::string& w) { return w.starts_with(kPrefix); });
}

std::string first_engine(const std::string& engines_) {
  for (const std::string& word : words(engines_)) {
    if (!word.starts_with(kPrefix)) continue;
    const std::string name = word.substr(kPrefix.size());
    if (std::ranges::any_of(engines(), [&](const Engine* e) { return e->name == name; }))
      return name;
  }
  return "";
}

std::vector<SelfCheckItem> self_check(const OpensmOptions& options, const EngineNeeds* needs) {
  std::vector<SelfCheckItem> items;
  auto check = [&](bool ok, std::string good, std::string bad, std::string remedy) {
    if (ok)
      items.push_back({true, std::move(good), ""});
    else
      items.push_back({false, std::move(bad), std::move(remedy)});
  };

  check(options.version == options.built_for,
        options.version + " is the version that the plugin was built for",
        fmt::format("this is {}, the plugin was built for {}", options.version, options.built_for),
        "install the plugin that was built for this OpenSM");

  const auto list = words(options.engines);
  bool ours = false, no_fallback = false;
  std::string engine = needs != nullptr ? needs->engine : "";
  for (const std::string& word : list) {
    no_fallback |= word == "no_fallback";
    if (!word.starts_with(kPrefix)) continue;
    ours = true;
    const auto name = std::string_view(word).substr(kPrefix.size());
    const bool known =
        std::ranges::any_of(engines(), [&](const Engine* e) { return e->name == name; });
    if (known && engine.empty()) engine = name;
    std::string names;
    for (const Engine* e : engines()) names += fmt::format(" {}{}", kPrefix, e->name);
    check(known, fmt::format("engine {} is known", word),
          fmt::format("there is no engine {}: OpenSM routes by its next choice", word),
          fmt::format("write one of{} in routing_engine", names));
  }
  if (!ours) {
    items.push_back({true, "no selvedge-ENGINE in routing_engine: the plugin only observes", ""});
    return items;
  }
  check(
      no_fallback, "no_fallback is set: only proved tables reach the switches",
      "without no_fallback OpenSM routes by minhop, which is not deadlock free on rings and tori, "
      "when Selvedge's engine declines",
      "write `routing_engine selvedge-ENGINE,no_fallback` in opensm.conf");
  check(options.qos, "qos is on: SL2VL tables reach the switches",
        "qos is off: OpenSM installs no SL2VL and VL arbitration tables, so engines are limited to "
        "one VL and one SL",
        "write `qos TRUE` in opensm.conf");
  check(!options.qos || options.qos_max_vls != 1, "VLs are available",
        "qos_max_vls 1 leaves one VL; engines that need more will decline",
        "write `qos_max_vls 8` in opensm.conf");
  check(!options.ucast_cache, "use_ucast_cache is off",
        "use_ucast_cache lets OpenSM reuse routes without asking the engine",
        "write `use_ucast_cache FALSE` in opensm.conf");
  check(options.sweep_interval_s != 0, "sweep_interval finds changes whose traps were lost",
        "sweep_interval 0: a change whose traps are lost is never found, and a lost LFT block is "
        "never sent again",
        "write `sweep_interval 10` in opensm.conf");
  items.push_back(check_lmc(options, needs));
  if (needs == nullptr && !options.port_before.empty() && options.lmc_before != options.lmc)
    items.push_back(check_lmc_before(options));
  items.push_back(check_routing(options, needs, engine));
  if (needs != nullptr && needs->vls_used > 1)
    items.push_back({true,
                     fmt::format("{} VLs and {} SLs are in use: applications have to take the SL "
                                 "from the path record",
                                 needs->vls_used, needs->sls_used),
                     ""});
  return items;
}

}  // namespace selvedge
