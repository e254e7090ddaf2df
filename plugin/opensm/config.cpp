// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/config.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/regular_file.hpp"
#include "base/toml_section.hpp"
#include "plugin/opensm/metrics_server.hpp"

namespace selvedge {
namespace {

constexpr std::chrono::milliseconds kDeadline{
    500};  // how long a sweep usually waits for its engine
constexpr std::chrono::milliseconds kFoundDeadline{30'000};
constexpr int kBringUpShare = 10;  // 1/10 of the time so far, while no host has a route
constexpr unsigned kUnset = static_cast<unsigned>(-1);  // more than any key may have
constexpr unsigned kSocketPathMax = 107;  // bytes of sun_path, without the terminating zero

PluginConfig read_all(const TomlFile& file) {
  PluginConfig config;
  TomlSection root = file.root();

  TomlSection engine = root.section("engine");
  engine.read("root", config.root);
  engine.choose("tree", config.tree, {"best", "bfs", "dfs"});
  engine.read("max_vls", config.max_vls, {.least = 1, .most = kMaxDataVls});
  engine.read("max_sls", config.max_sls, {.least = 1, .most = kSls});
  engine.read("fill_vls", config.fill_vls);
  engine.choose("replies", config.replies, {"best", "own-sl", "base", "same-sl"});
  unsigned deadline_ms = kUnset;
  engine.read("deadline_ms", deadline_ms, {.least = 0, .most = 3'600'000});
  if (deadline_ms != kUnset) config.deadline_ms = deadline_ms;
  engine.read("hoq_life", config.hoq_life, {.least = 0, .most = 19});
  std::vector<std::string_view> fallbacks = {"opensm"};
  for (const Engine* e : engines()) fallbacks.push_back(e->name);
  std::size_t fallback = fallbacks.size();
  engine.choose("fallback", fallback, fallbacks);
  if (fallback < fallbacks.size()) config.fallback = fallbacks[fallback];

  root.section("adopt").read("enabled", config.adopt);

  TomlSection repair = root.section("repair");
  repair.read("fast_path", config.fast_path);
  if (config.hoq_life > 0 && !config.fast_path)
    throw engine.error("hoq_life", "needs the fast path, which is off",
                       "leave it out, or set [repair] fast_path = true");
  repair.choose("mode", config.mode, {"in-place", "readdress"});
  if (config.mode == PluginConfig::RepairWay::kReaddress && !config.fast_path)
    throw repair.error("mode", "needs the fast path, which is off",
                       "set fast_path = true, or mode = \"in-place\"");
  repair.read("keep_fresh_s", config.keep_fresh_s, {.least = 0, .most = 86'400});
  if (config.keep_fresh_s > 0 && config.mode != PluginConfig::RepairWay::kReaddress)
    throw repair.error("keep_fresh_s", "is for mode = \"readdress\"",
                       "leave it out, or set that mode");
  repair.read("agent", config.agent);
  repair.read("smp_timeout_ms", config.smp_timeout_ms, {.least = 1, .most = 60'000});
  repair.read("smp_tries", config.smp_tries, {.least = 1, .most = 100});
  repair.read("drain_ms", config.drain_ms, {.least = 0, .most = 10'000});
  repair.read("window_hoq_life", config.window_hoq_life, {.least = 0, .most = 19});
  repair.read("drained", config.drained);
  repair.read("drift_percent", config.drift.percent, {.least = 0, .most = 1000});
  repair.read("drift_bandwidth_percent", config.drift.bandwidth_percent, {.least = 0, .most = 100});
  repair.read("drift_quiet_s", config.drift.quiet_s, {.least = 0, .most = 86'400});
  repair.read("flap_limit", config.flaps.limit, {.least = 1, .most = 1000});
  repair.read("flap_window_s", config.flaps.window_s, {.least = 1, .most = 3600});
  repair.read("flap_hold_s", config.flaps.hold_s, {.least = 1, .most = 86'400});

  TomlSection status = root.section("status");
  status.read("socket", config.socket);
  status.read("file", config.file);
  status.read("events", config.events, {.least = 16, .most = 1 << 20});
  if (config.socket.size() > kSocketPathMax)
    throw status.error("socket", "is too long", "a Unix socket's path has at most 107 bytes");

  TomlSection metrics = root.section("metrics");
  metrics.read("listen", config.metrics_listen);
  if (!config.metrics_listen.empty())
    parse_listen_address(config.metrics_listen, metrics.at("listen"));

  TomlSection events = root.section("events");
  events.read("log", config.event_log);
  events.read("run", config.event_run);
  events.read("run_s", config.event_run_s, {.least = 1, .most = 3600});
  for (const auto& [key, path] : {std::pair("log", &config.event_log), {"run", &config.event_run}})
    if (!path->empty() && !path->starts_with('/'))
      throw events.error(key, "is no absolute path", "begin it with a slash");

  TomlSection errors = root.section("errors");
  errors.choose("action", config.errors.action, {"off", "dry-run", "drain"});
  constexpr double kMostPerMinute = 1e9;
  errors.read("symbol_per_min", config.errors.symbol_per_min, {.least = 0, .most = kMostPerMinute});
  errors.read("integrity_per_min", config.errors.integrity_per_min,
              {.least = 0, .most = kMostPerMinute});
  errors.read("discards_per_min", config.errors.discards_per_min,
              {.least = 0, .most = kMostPerMinute});
  errors.read("drains_per_hour", config.errors.drains_per_hour, {.least = 1, .most = 1000});
  const ErrorSettings& e = config.errors;
  if (e.action != ErrorSettings::Action::kOff && e.symbol_per_min == 0 &&
      e.integrity_per_min == 0 && e.discards_per_min == 0)
    throw errors.error("action", "has no errors to watch: all limits are 0", "set one, or \"off\"");
  if (e.action == ErrorSettings::Action::kDrain && !config.fast_path)
    throw errors.error("action", "is \"drain\", and [repair] fast_path is false",
                       "set fast_path = true, or action = \"dry-run\"");
  file.done();
  return config;
}

}  // namespace

std::chrono::milliseconds wait_for_engine(std::optional<unsigned> deadline_ms, RoutedBy routed,
                                          std::chrono::nanoseconds running) {
  using std::chrono::milliseconds;
  if (deadline_ms) return milliseconds(*deadline_ms);
  if (routed == RoutedBy::kFoundTables) return kFoundDeadline;
  if (routed == RoutedBy::kOurTables) return kDeadline;
  return std::min(kDeadline, std::chrono::duration_cast<milliseconds>(running) / kBringUpShare);
}

PluginConfig parse_plugin_config(std::string_view text, const std::string& where) {
  return read_all(TomlFile::parse(text, where));
}

PluginConfig read_plugin_config(const std::string& path) {
  refuse_blocking_file(path);
  return read_all(TomlFile::load(path, "the plugin's configuration"));
}

bool config_is_missing(const std::string& path) {
  std::error_code none;  // not needed: the file type tells a missing file from an unreadable one
  return std::filesystem::status(path, none).type() == std::filesystem::file_type::not_found;
}

std::optional<std::string> config_path(const char* event_plugin_options) {
  constexpr std::string_view kMark = "selvedge:";
  if (event_plugin_options == nullptr) return std::nullopt;
  std::istringstream words(event_plugin_options);
  for (std::string word; words >> word;)
    if (word.starts_with(kMark)) return word.substr(kMark.size());
  return std::nullopt;
}

}  // namespace selvedge
