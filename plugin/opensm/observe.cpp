// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that operators' programs see: metrics and events. (plugin.cpp has the status.)
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/opensm/plugin.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kChangesNamed = 16;  // most changes of the fabric that one event names

}  // namespace

void Plugin::observe_events() {
  recorder_.set(config_.event_log, config_.event_run, config_.event_run_s);
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

/// `proved`: whether every state between the tables before and those of the sweep is.
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
