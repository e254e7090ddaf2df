// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The self-check at start: is this the OpenSM for which the plugin was built, and is it configured
// as the engines need it? Each failed check comes with a remedy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/control/routing_options.hpp"

namespace selvedge {

/// OpenSM's version and the options that matter to the plugin.
struct OpensmOptions {
  std::string version;    // of the running OpenSM, such as "OpenSM 3.3.23"
  std::string built_for;  // the version of the headers with which the plugin was built
  std::string engines;    // routing_engine in opensm.conf
  bool qos = false;
  unsigned qos_max_vls = 0;  // 0: opensm.conf does not set it
  unsigned lmc = 0;
  /// A local port that has a LID before the first sweep, and its LMC: "" if there is none.
  std::string port_before;
  unsigned lmc_before = 0;
  bool ucast_cache = false;
  unsigned sweep_interval_s = 0;
  std::vector<SetOption> routing;  // options of routing with other values than OpenSM's defaults
};

struct SelfCheckItem {
  bool ok = true;
  std::string what;    // such as "qos is off: no SL2VL table reaches the switches"
  std::string remedy;  // such as "write `qos TRUE` in opensm.conf"; empty if `ok`

  friend bool operator==(const SelfCheckItem&, const SelfCheckItem&) = default;
};

/// What an engine and its plan demand of OpenSM's options; known once there is a first plan.
struct EngineNeeds {
  std::string engine;       // the plugin's engine that OpenSM has called
  unsigned lmc_wanted = 0;  // the LMC for all disjoint paths (Engine::lmc)
  std::uint32_t switches = 0, hosts = 0;
  unsigned vls_used = 0, sls_used = 0;
  unsigned lmc_base = 0;  // the LMC for base LIDs with paths of their own too (Engine::base_lmc)
};

/// All checks. If `needs` is null, only those that are possible before the first sweep.
std::vector<SelfCheckItem> self_check(const OpensmOptions& options,
                                      const EngineNeeds* needs = nullptr);

/// Whether one of the plugin's engines is in `engines`, the value of routing_engine. (If not, the
/// plugin only observes.)
bool names_our_engine(const std::string& engines);
/// The plugin's engine that routing_engine names first, without the prefix; "" if there is none.
std::string first_engine(const std::string& engines);

}  // namespace selvedge
