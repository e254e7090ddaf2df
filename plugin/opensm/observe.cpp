// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that operators' programs see: metrics and events. (plugin.cpp has the status.)
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "plugin/opensm/plugin.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kChangesNamed = 16;  // most changes of the fabric that one event names

}  // namespace

/// Applies the settings of events and errors.
void Plugin::observe_events() {
  recorder_.set(config_.event_log, config_.event_run, config_.event_run_s);
  if (config_.errors.action != ErrorSettings::Action::kOff && osm_.subn.opt.perfmgr == FALSE)
    log(Level::kError,
        "[errors] has no counters to watch: perfmgr in opensm.conf: set it to TRUE, or [errors] "
        "action to \"off\"");
  const std::lock_guard lock(errors_mutex_);
  error_settings_ = config_.errors;
}

/// If the error counters of a port have grown too fast, orders its cable to be drained, or only
/// logs that (dry run). Called by OpenSM's PerfMgr, in its thread. The drain is proved, and refused
/// if it would disconnect hosts or if no order of sending is proved. Does not block.
void Plugin::watch_errors(const osm_epi_pe_event_t& grown) {
  ErrorReading reading;
  reading.node = grown.port_id.node_guid;
  reading.port = static_cast<PortNum>(grown.port_id.port_num);
  reading.seconds = static_cast<double>(grown.time_diff_s);
  reading.symbol = grown.symbol_err_cnt;
  reading.integrity = grown.link_integrity + grown.link_err_recover;
  reading.discards = grown.xmit_discards;
  bool dry_run = false;
  std::optional<ErrorWatch::Decision> decision;
  {
    const std::lock_guard lock(errors_mutex_);
    dry_run = error_settings_.action == ErrorSettings::Action::kDryRun;
    decision = error_watch_.judge(reading, error_settings_, clock_.now());
  }
  if (!decision) return;
  const std::string name = cable_to_drain(reading);
  const std::string line = fmt::format("{} ({}): {}", name, grown.port_id.node_name, decision->why);
  const auto say = [this, line](std::string_view what) {
    log(Level::kError, fmt::format("errors at {}: {}", line, what));
    record(event_of(RoutingEvent::Kind::kErrors, fmt::format("{}: {}", line, what)));
  };
  if (!decision->drain) return say("not drained, since [errors] drains_per_hour is reached");
  if (dry_run) return say("would be drained ([errors] action is dry-run)");
  Order order{Order::Kind::kDrain, {name}};
  order.proved_order_only = true;
  fast_path_.carry_out_later(std::move(order), [this, say, reading](const std::string& answer) {
    const auto done = nlohmann::json::parse(answer, nullptr, false);
    const bool refused = !done.is_discarded() && done.contains("error");
    const bool changed = !refused && !done.is_discarded() && done.value("entries", 0) > 0;
    if (changed) return say("drained");
    {
      const std::lock_guard lock(errors_mutex_);
      error_watch_.give_back(reading);
    }
    if (!refused) return say("drained; no path used it");
    const auto& error = done.at("error");
    say(fmt::format("not drained: {}: {}", error.value("what", ""), error.value("where", "")));
  });
}

void Plugin::open_metrics() {
  if (config_.metrics_listen.empty() || !config_error_.empty()) return;
  try {
    metrics_server_.start(config_.metrics_listen, [this] { return metrics(); });
  } catch (const Error& e) {
    log(Level::kError, fmt::format("{}; routing continues without metrics", e.what()));
  }
}

std::string Plugin::metrics() {
  EdgeCounters edge;
  edge.traps = timeline_.total(Event::Kind::kTrap);
  edge.proofs = timeline_.total(Event::Kind::kProved);
  edge.refused = refused_;
  edge.fast_path_blocks = timeline_.total(Event::Kind::kRepairBlock);
  edge.sweep_blocks = timeline_.total(Event::Kind::kLftBlock);
  edge.events_dropped = recorder_.dropped();
  edge.hooks_run = recorder_.hooks_run();
  edge.hooks_failed = recorder_.hooks_failed();
  return metrics_page(status_now(), recorder_.counters(), edge);
}

void Plugin::record(RoutingEvent event) { recorder_.add(std::move(event)); }

/// `proved`: whether every mixture of the tables before and those of the sweep is proved free of
/// deadlock.
void Plugin::record_sweep(const std::shared_ptr<const Plan>& before, std::string what,
                          bool proved) {
  RoutingEvent event = event_of(RoutingEvent::Kind::kSweep, std::move(what));
  event.engine = plan_->engine;
  event.same = plan_->outcome == Outcome::kUnchanged;
  event.proved = proved;
  event.before = before;
  event.after = plan_;
  record(std::move(event));
}

void Plugin::record_changes(const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::string what;
  for (std::size_t i = 0; i < std::min(lines.size(), kChangesNamed); ++i)
    what += (i == 0 ? "" : "; ") + lines[i];
  if (lines.size() > kChangesNamed)
    what += fmt::format("; … and {} more changes", lines.size() - kChangesNamed);
  record(event_of(RoutingEvent::Kind::kChange, std::move(what)));
}

}  // namespace selvedge
