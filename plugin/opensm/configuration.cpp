// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that reads plugin.toml: at the start, and again in each sweep if it has
// changed.
#include <fmt/format.h>

#include <tuple>

#include "base/error.hpp"
#include "plugin/opensm/plugin.hpp"

namespace selvedge {
namespace {

timespec mtime_of(const std::string& path) {
  struct stat found{};
  return stat(path.c_str(), &found) == 0 ? found.st_mtim : timespec{};
}

}  // namespace

void Plugin::load_config() {
  config_path_ = config_path(osm_.subn.opt.event_plugin_options);
  if (!config_path_) return;
  config_mtime_ = mtime_of(*config_path_);
  if (config_is_missing(*config_path_)) {
    // Without a file nothing is set, so the defaults are used. (A file with errors makes the
    // engines decline.)
    status_.config_error = fmt::format(
        "event_plugin_options names a file that does not exist: {}: copy "
        "share/selvedge/plugin.toml of "
        "the install prefix there, or delete that line of opensm.conf",
        *config_path_);
    log(Level::kError,
        fmt::format("{}; until then every setting has its default", status_.config_error));
    return;
  }
  try {
    config_ = read_plugin_config(*config_path_);
    timeline_.resize(config_.events);
  } catch (const InputError& e) {
    config_error_ = e.what();
    status_.config_error = config_error_;
    log(Level::kError, fmt::format("{}: Selvedge's engines decline until this is corrected; OpenSM "
                                   "continues with its routing_engine list",
                                   config_error_));
  }
}

/// Re-reads plugin.toml if it has changed. Each sweep calls this, and SIGHUP makes OpenSM sweep. A
/// file with errors changes nothing.
void Plugin::reload_config_if_changed() {
  if (!config_path_) return;
  const timespec now = mtime_of(*config_path_);
  if (now.tv_sec == config_mtime_.tv_sec && now.tv_nsec == config_mtime_.tv_nsec) return;
  config_mtime_ = now;
  std::string error;
  try {
    PluginConfig fresh = read_plugin_config(*config_path_);
    const bool first = !config_error_.empty();  // no valid file until now: nothing was started
    if (!first) {
      if (fresh.socket != config_.socket)
        log(Level::kInfo, "[status] socket takes effect when opensm is restarted");
      if (std::tie(fresh.fast_path, fresh.agent, fresh.drained) !=
          std::tie(config_.fast_path, config_.agent, config_.drained))
        log(Level::kInfo,
            "[repair] fast_path, agent and drained take effect when opensm is restarted");
      if (fresh.mode != config_.mode)
        log(Level::kInfo, fresh.mode == PluginConfig::RepairWay::kReaddress
                              ? "[repair] mode is readdress now: LIDs that no pair needs lose "
                                "their paths, and get "
                                "others after faults"
                              : "[repair] mode is in-place now: every LID gets a path from the "
                                "engine, fresh LIDs "
                                "another one than before");
      fresh.fast_path = config_.fast_path;
      fresh.agent = config_.agent;
      fresh.drained = config_.drained;
      fresh.socket = config_.socket;
    }
    // A server that could not be started is tried again.
    const bool serve_anew =
        !first && (fresh.metrics_listen != config_.metrics_listen || !metrics_server_.running());
    if (first || fresh.events != config_.events) timeline_.resize(fresh.events);
    const bool same = !first && fresh == config_;
    config_ = std::move(fresh);
    config_error_.clear();
    observe_events();
    if (first) {
      start_fast_path();
      open_status();
      open_metrics();
    } else if (serve_anew) {
      metrics_server_.stop();
      open_metrics();
    }
    if (!same) {
      log(Level::kInfo, fmt::format("{} was reloaded", *config_path_));
      plan_stale_ = true;  // so that the engine computes the next tables, with the new settings
    }
  } catch (const InputError& e) {
    error = e.what();
    log(Level::kError, fmt::format("{}: the configuration in force stays", error));
  }
  const std::lock_guard lock(status_mutex_);
  status_.config_error = config_error_.empty() ? error : config_error_;
}

}  // namespace selvedge
