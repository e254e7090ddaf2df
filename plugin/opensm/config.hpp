// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin.toml, the operator's settings of the plugin. Every key has a default. An unknown key is an
// error, whose message names the nearest known key. conf/plugin.toml explains each key.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/control/error_watch.hpp"
#include "plugin/control/settings.hpp"
#include "plugin/engines/engine.hpp"

namespace selvedge {

struct PluginConfig {
  // [engine]
  /// The name or GUID (0x…) of the switch that is the root of up*/down* trees; "" = the engine
  /// chooses one.
  std::string root;
  EngineRequest::Tree tree = EngineRequest::Tree::kBest;
  unsigned max_vls = 8;
  unsigned max_sls = 16;
  bool fill_vls = false;  // as of EngineRequest
  /// For which LIDs responses on the request's SL must be safe (ReplyGrade). kBest: for base LIDs
  /// if LIDs, VLs and SLs suffice.
  enum class Replies { kBest, kOwnSl, kBase, kSameSl };
  Replies replies = Replies::kBest;
  std::string fallback =
      "updn";  // the engine if the configured one fails; "opensm" = the next of OpenSM's list
  /// How long a sweep waits for the engine (wait_for_engine() below). After that updn's tables
  /// serve until those of the engine are ready.
  std::optional<unsigned> deadline_ms;

  /// The head-of-queue lifetime of ports between switches is 4.096 µs × 2^hoq_life; 0: it is
  /// OpenSM's.
  unsigned hoq_life = 0;

  // [adopt]
  bool adopt = true;  // whether LFTs found in the switches at start stay if they can be proved

  // [repair]
  /// kInPlace: old LIDs keep working; kReaddress: pairs that a fault hits get fresh LIDs besides
  /// (fresh_lids.hpp)
  enum class RepairWay { kInPlace, kReaddress };
  RepairWay mode = RepairWay::kInPlace;
  unsigned keep_fresh_s = 0;  // ControlSettings::keep_fresh()
  bool fast_path = true;  // whether a trap starts a repair before a sweep has discovered the fabric
  std::string agent;      // the path of selvedge-smp-agent; "" = searched relative to the library
  unsigned smp_timeout_ms = 100;  // how long one try waits for an answer
  unsigned smp_tries = 3;
  unsigned drain_ms = 20;  // how long a drain waits (SmpSettings::drain); 0: drains are not used
  /// While a change is sent in an unproved order, the switches' head-of-queue lifetime is
  /// 4.096 µs × 2^window_hoq_life; 0: it stays as OpenSM has set it.
  unsigned window_hoq_life = 0;
  /// The file that keeps the names of drained components; "" = none.
  std::string drained = "/var/lib/selvedge/drained";
  DriftSettings drift;
  FlapSettings flaps;

  // [status]
  std::string socket = "/run/selvedge-opensm.sock";       // the status socket; "" = none
  std::string file = "/run/selvedge-opensm-status.json";  // the status file; "" = none
  unsigned events = 16384;                                // the capacity of the timeline

  // [metrics]
  std::string metrics_listen;  // where Prometheus reads (metrics_server.hpp); "" = nowhere

  // [events]
  std::string event_log;      // the file to which events are appended; "" = none
  std::string event_run;      // the program that is run for each event; "" = none
  unsigned event_run_s = 10;  // how long one run may take

  ErrorSettings errors;  // [errors]

  friend bool operator==(const PluginConfig&, const PluginConfig&) = default;
};

/// By what the hosts are routed while a sweep waits for its engine.
enum class RoutedBy : std::uint8_t {
  kOurTables,    // those of the sweep before
  kFoundTables,  // those that a new master finds, which it may keep with the engine's SLs
  kNothing,      // in a bring-up
};

/// How long a sweep waits for its engine: as long as `deadline_ms` says; if it says nothing, 500
/// ms. But in a bring-up no host has a route until the sweep ends. There the wait is at most a
/// tenth of `running`, the time since opensm started, so that it prolongs the bring-up by little.
/// And where tables were found, other tables would move every path twice: 30 s.
std::chrono::milliseconds wait_for_engine(std::optional<unsigned> deadline_ms, RoutedBy routed,
                                          std::chrono::nanoseconds running);

/// Throws InputError, with `where` (the file's name) and the line, if the text is not valid.
PluginConfig parse_plugin_config(std::string_view text, const std::string& where);
PluginConfig read_plugin_config(const std::string& path);

/// Whether there is no file at that path. A file that exists and cannot be read is not missing.
bool config_is_missing(const std::string& path);

/// The path of plugin.toml in OpenSM's `event_plugin_options`, a string of words for all plugins:
/// what follows "selvedge:" in the word that starts so. nullopt if there is none.
std::optional<std::string> config_path(const char* event_plugin_options);

}  // namespace selvedge
