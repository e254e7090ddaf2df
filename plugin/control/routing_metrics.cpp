// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/routing_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/metrics_page.hpp"

namespace selvedge {
namespace {

/// A label's value: backslash, quote and line break are escaped.
std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

void add_histogram(MetricsPage& page, std::string_view name, std::string_view help,
                   const Histogram& h) {
  page.metric(name, "histogram", help);
  for (std::size_t i = 0; i < Histogram::kBounds.size(); ++i)
    page.sample(h.at_most[i], fmt::format("le=\"{}\"", Histogram::kBounds[i]), "_bucket");
  page.sample(h.count, "le=\"+Inf\"", "_bucket")
      .sample(h.sum, "", "_sum")
      .sample(h.count, "", "_count");
}

constexpr std::string_view kByFastPath = "by=\"fast_path\"", kBySweep = "by=\"sweep\"";

void add_state(MetricsPage& page, const Status& status) {
  const Plan* plan = status.last_declined ? nullptr : status.plan.get();
  page.metric("info", "gauge", "Versions, and the engine whose tables are in force.")
      .sample(1, fmt::format("version=\"{}\",opensm=\"{}\",engine=\"{}\"", SELVEDGE_VERSION,
                             escaped(status.opensm), plan ? escaped(plan->engine) : ""));
  page.gauge("master", "1 if this opensm is the master.", status.role == "master" ? 1 : 0);
  page.gauge("config_error", "1 if plugin.toml has a mistake or is missing.",
             status.config_error.empty() ? 0 : 1);
  page.gauge("self_check_failures", "Settings of OpenSM that do not fit.",
             static_cast<std::uint64_t>(
                 std::ranges::count_if(status.self_check, [](const auto& i) { return !i.ok; })));
  page.gauge("proved", "1 if the tables in force are Selvedge's, which are proved.",
             plan != nullptr ? 1 : 0);
  page.gauge("interim",
             "1 while tables of another engine serve until those of the engine are ready.",
             plan != nullptr && !plan->awaited.empty() ? 1 : 0);
  page.gauge("fast_path_ready", "1 if a repair of the next fault is prepared.",
             status.fast_path_ready ? 1 : 0);
  page.gauge("drained", "Cables and switches drained by order.", status.drained.size());
  page.gauge("held", "Cables held out of use because they flap.", status.held.size());
  const Fabric none;
  const Fabric& fabric = plan != nullptr ? plan->fabric : none;
  page.gauge("switches", "Switches in use.", working_switches(fabric));
  page.gauge("hosts", "Host ports in use.", attached_hosts(fabric));
  page.gauge("links", "Cables between switches in use.", fabric.links().size());
  const Verdict verdict = plan != nullptr ? plan->verdict : Verdict{};
  page.gauge("pairs", "Ordered pairs of hosts that are physically connected.", verdict.pairs);
  page.gauge("pairs_failed", "Of these, pairs without a path.", verdict.failed_pairs);
  page.gauge("pairs_disconnected", "Ordered pairs of hosts that are not physically connected.",
             verdict.disconnected);
  page.gauge("vls_used", "VLs used between switches.", verdict.vls_used);
}

}  // namespace

void Histogram::add(double value) {
  for (std::size_t i = 0; i < kBounds.size(); ++i) at_most[i] += value <= kBounds[i] ? 1 : 0;
  ++count;
  sum += value;
}

void RoutingCounters::add(const RoutingEvent& event) {
  using Kind = RoutingEvent::Kind;
  const double seconds = event.ms / 1000;
  switch (event.kind) {
    case Kind::kSweep:
      sweep_entries += event.entries;
      break;
    case Kind::kRepair:
      ++repairs;
      repair_seconds.add(seconds);
      break;
    case Kind::kRepairFailed:
      ++repairs_failed;
      break;
    case Kind::kRestored:
      ++restored;
      break;
    case Kind::kHeld:
      ++held;
      break;
    case Kind::kErrors:
      ++errors;
      break;
    case Kind::kDrained:
    case Kind::kUndrained:
    case Kind::kRerouted:
      ++orders;
      break;
    case Kind::kDeclined:
    case Kind::kChange:
    case Kind::kReleased:
    case Kind::kDarkLidsRouted:
    case Kind::kShortened:
    case Kind::kInstalled:
    case Kind::kReaddressed:
    case Kind::kLidsReturned:
      break;
  }
  if (event.kind != Kind::kSweep) fast_path_entries += event.entries;
  sl2vl_rows += event.sl2vl_rows;
  pair_seconds += static_cast<double>(event.pairs_without_path) * seconds;
  unproved += event.proved ? 0 : 1;
  group_pauses += event.groups_paused ? 1 : 0;
  unconfirmed += event.written ? 0 : 1;
}

std::string metrics_page(const Status& status, const RoutingCounters& counted,
                         const EdgeCounters& edge) {
  MetricsPage page("selvedge_sm_");
  add_state(page, status);
  page.counter("sweeps_total", "Heavy sweeps in which OpenSM asked for tables.", status.sweeps);
  page.counter("sweeps_declined_total", "Sweeps for which no tables could be proved.",
               status.declined);
  page.counter("faults_total", "Changes of the fabric that sweeps have found.",
               status.faults_total);
  page.counter("traps_total", "Traps received.", edge.traps);
  page.counter("repairs_total", "Faults repaired by the fast path.", counted.repairs);
  page.counter("repairs_failed_total", "Faults left to the sweep, since no repair was proved.",
               counted.repairs_failed);
  add_histogram(page, "repair_seconds", "From the trap until the repair was read back.",
                counted.repair_seconds);
  page.metric("pair_seconds_without_path_total", "counter",
              "Pairs of hosts without a path, times the seconds until their repair.")
      .sample(counted.pair_seconds);
  page.counter("restored_total", "Times that the fast path took restored links into use.",
               counted.restored);
  page.counter("holds_total", "Times that a flapping cable was held.", counted.held);
  page.counter("error_cables_total", "Times that a cable erred more than allowed.", counted.errors);
  page.counter("orders_total", "Orders carried out: drain, undrain, reroute.", counted.orders);
  page.counter("proofs_total", "Proofs made.", edge.proofs);
  page.counter("proofs_refused_total", "Tables that failed or were not proved, and not written.",
               edge.refused);
  page.counter("unproved_changes_total",
               "Changes written of which a state on the way was not proved.", counted.unproved);
  page.counter("group_pauses_total", "Changes during which multicast groups paused.",
               counted.group_pauses);
  page.counter("unconfirmed_changes_total", "Changes that some switch did not confirm.",
               counted.unconfirmed);
  page.metric("lft_entries_written_total", "counter", "LFT entries changed in switches.")
      .sample(counted.fast_path_entries, kByFastPath)
      .sample(counted.sweep_entries, kBySweep);
  page.metric("lft_blocks_written_total", "counter",
              "LFT blocks that switches have acknowledged, without those of OpenSM's first sweep.")
      .sample(edge.fast_path_blocks, kByFastPath)
      .sample(edge.sweep_blocks, kBySweep);
  page.counter("sl2vl_rows_written_total", "SL2VL rows changed by the fast path.",
               counted.sl2vl_rows);
  page.counter("events_dropped_total", "Events not logged or not given to the hook: queue full.",
               edge.events_dropped);
  page.counter("hooks_run_total", "Runs of the event hook.", edge.hooks_run);
  page.counter("hooks_failed_total", "Runs of the event hook that failed or were ended.",
               edge.hooks_failed);
  return std::move(page).text();
}

}  // namespace selvedge
