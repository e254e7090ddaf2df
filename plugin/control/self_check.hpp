// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The self-check at start: is this the OpenSM that the plugin was built for, and is it configured
// as the engines need it? Each failed check comes with a remedy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace selvedge {

/// OpenSM's version and the options that matter to the plugin.
struct OpensmOptions {
  std::string version;    // "OpenSM 3.3.23"
  std::string built_for;  // the version of the headers
  std::string engines;    // opensm.conf's routing_engine
  bool qos = false;
  unsigned qos_max_vls = 0;  // 0 = not set
  unsigned lmc = 0;
  bool ucast_cache = false;
  unsigned sweep_interval_s = 0;
};

struct SelfCheckItem {
  bool ok = true;
  std::string what;    // "qos is off: no SL2VL table reaches the switches"
  std::string remedy;  // "write `qos TRUE` in opensm.conf"; empty where all is well

  friend bool operator==(const SelfCheckItem&, const SelfCheckItem&) = default;
};

/// What an engine and its plan need of OpenSM's options; known from the first plan on.
struct EngineNeeds {
  std::string engine;       // our engine that OpenSM has called
  unsigned lmc_wanted = 0;  // by this engine on this fabric
  std::uint32_t switches = 0, hosts = 0;
  unsigned vls_used = 0, sls_used = 0;
};

/// Without `needs`: only what is known before the first sweep.
std::vector<SelfCheckItem> self_check(const OpensmOptions& options,
                                      const EngineNeeds* needs = nullptr);

/// Is one of our engines in OpenSM's list? (If not, the plugin only observes.)
bool names_our_engine(const std::string& engines);

}  // namespace selvedge
