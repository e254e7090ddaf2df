// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin.toml: what the operator may set. Every key has a default; an unknown one is an error that
// names the nearest known key. conf/plugin.toml explains each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/control/settings.hpp"
#include "plugin/engines/engine.hpp"

namespace selvedge {

struct PluginConfig {
  // [engine]
  std::string root;  // switch name or GUID (0x…) at which up*/down* trees start; "" = chosen
  EngineRequest::Tree tree = EngineRequest::Tree::kBest;
  unsigned max_vls = 8;
  unsigned max_sls = 16;
  std::string fallback =
      "updn";  // engine to use when the chosen one fails; "opensm" = OpenSM's list
  /// A sweep waits so long for the engine; then updn's tables serve until those are ready.
  unsigned deadline_ms = 500;

  // [adopt]
  bool adopt = true;  // take over proved tables found in the switches at start

  // [repair]
  bool fast_path = true;          // repair at the trap, before the sweep has discovered the fabric
  std::string agent;              // the program that sends its SMPs; "" = beside the library
  unsigned smp_timeout_ms = 100;  // of one try
  unsigned smp_tries = 3;
  unsigned drain_ms = 20;  // until packets routed before have left; 0: no wait
  /// While a change is sent in an unproved order, switches drop packets after
  /// 4.096 µs × 2^this; 0: as OpenSM sets it.
  unsigned window_hoq_life = 0;
  std::string drained = "/var/lib/selvedge/drained";  // file of the drained names; "" = none
  DriftSettings drift;
  FlapSettings flaps;

  // [status]
  std::string socket = "/run/selvedge-opensm.sock";       // "" = none
  std::string file = "/run/selvedge-opensm-status.json";  // "" = none
  unsigned events = 16384;                                // events kept for `status`

  friend bool operator==(const PluginConfig&, const PluginConfig&) = default;
};

/// Throws InputError: `where` is the file's name; the line is added.
PluginConfig parse_plugin_config(std::string_view text, const std::string& where);
PluginConfig read_plugin_config(const std::string& path);

/// There is nothing at that path. A file that is there and cannot be read is not missing.
bool config_is_missing(const std::string& path);

/// The path in OpenSM's `event_plugin_options` (one string for all plugins; ours is the word that
/// starts with "selvedge:"), or nothing.
std::optional<std::string> config_path(const char* event_plugin_options);

}  // namespace selvedge
