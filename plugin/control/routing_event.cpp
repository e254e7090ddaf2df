// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/routing_event.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace selvedge {

std::string_view name(RoutingEvent::Kind kind) {
  switch (kind) {
    case RoutingEvent::Kind::kSweep:
      return "sweep";
    case RoutingEvent::Kind::kDeclined:
      return "declined";
    case RoutingEvent::Kind::kChange:
      return "change";
    case RoutingEvent::Kind::kRepair:
      return "repair";
    case RoutingEvent::Kind::kRepairFailed:
      return "repair_failed";
    case RoutingEvent::Kind::kRestored:
      return "restored";
    case RoutingEvent::Kind::kHeld:
      return "held";
    case RoutingEvent::Kind::kReleased:
      return "released";
    case RoutingEvent::Kind::kDrained:
      return "drained";
    case RoutingEvent::Kind::kUndrained:
      return "undrained";
    case RoutingEvent::Kind::kRerouted:
      return "rerouted";
    case RoutingEvent::Kind::kDarkLidsRouted:
      return "dark_lids_routed";
    case RoutingEvent::Kind::kShortened:
      return "shortened";
    case RoutingEvent::Kind::kErrors:
      return "errors";
    case RoutingEvent::Kind::kInstalled:
      return "installed";
    case RoutingEvent::Kind::kReaddressed:
      return "readdressed";
    case RoutingEvent::Kind::kLidsReturned:
      return "lids_returned";
  }
  return "?";
}

RoutingEvent event_of(RoutingEvent::Kind kind, std::string what) {
  RoutingEvent event;
  event.kind = kind;
  event.what = std::move(what);
  return event;
}

RoutingEvent event_of(RoutingEvent::Kind kind, std::string what, const Change& change,
                      const Written& written) {
  RoutingEvent event = event_of(kind, std::move(what));
  event.engine = change.after->engine;
  event.proved = change.proved && change.order.method != SendPlan::Method::kWindow;
  event.groups_paused = written.begun && change.order.groups_pause;
  event.written = written.all_confirmed;
  event.entries = change.delta.lft.size();
  event.blocks = written.confirmed.blocks.size();
  event.sl2vl_rows = written.confirmed.rows.size();
  event.before = change.before;
  event.after = change.after;
  event.lost = change.lost;
  return event;
}

std::uint64_t working_switches(const Fabric& fabric) {
  return static_cast<std::uint64_t>(std::ranges::count(fabric.switches(), false, &Switch::failed));
}

std::uint64_t attached_hosts(const Fabric& fabric) {
  std::uint64_t count = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) count += fabric.attached(h) ? 1 : 0;
  return count;
}

bool is_news(const RoutingEvent& event) {
  return event.kind != RoutingEvent::Kind::kSweep || !event.same;
}

std::string event_line(const RoutingEvent& event, const std::string& time) {
  using nlohmann::ordered_json;
  ordered_json line = {{"format", "selvedge-event-1"},
                       {"time", time},
                       {"event", name(event.kind)},
                       {"what", event.what}};
  if (!event.engine.empty()) {
    line["engine"] = event.engine;
    line["proved"] = event.proved;
    line["groups_paused"] = event.groups_paused;
    line["written"] = event.written;
    line["lft_entries"] = event.entries;
    line["lft_blocks"] = event.blocks;
    // OpenSM compares a sweep's rows with what it has read of the ports, so they are not known
    // here.
    if (event.kind != RoutingEvent::Kind::kSweep) line["sl2vl_rows"] = event.sl2vl_rows;
    line["ms"] = event.ms;
    line["pairs_without_path"] = event.pairs_without_path;
  }
  if (event.after) {
    const Verdict& v = event.after->verdict;
    line["switches"] = working_switches(event.after->fabric);
    line["hosts"] = attached_hosts(event.after->fabric);
    line["links"] = event.after->fabric.links().size();
    line["failed_pairs"] = v.failed_pairs;
    line["disconnected"] = v.disconnected;
  }
  // Node descriptions come from the fabric and may contain any bytes.
  return line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace selvedge
