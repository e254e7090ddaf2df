// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is said about an order that was carried out: the log line, the client's answer, the event.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "plugin/control/dark_routes.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/control/orders.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {
namespace {

using nlohmann::ordered_json;

/// Adds the figures of a change to the client's document, the same for each order that writes
/// tables.
void add_figures(const PreparedChange& done, ordered_json& answer) {
  const Plan& after = *done.change->after;
  answer["entries"] = done.change->delta.lft.size();
  answer["blocks"] = done.written.confirmed.blocks.size();
  answer["readdressed"] = done.change->readdressed;
  answer["confirmed"] = done.written.all_confirmed;
  answer["compute_ms"] = after.steps.compute_ms;
  answer["prove_ms"] = after.steps.prove_ms;
  answer["send_ms"] = done.written.ms;
}

OrderReport report_drain(const Order& order, const PreparedChange& done) {
  const std::string what = fmt::format("{}", fmt::join(order.words, ", "));
  if (!done.change)
    return {fmt::format("drained by order: {}: already out of use", what),
            ordered_json{{"drained", order.words}, {"entries", 0}, {"confirmed", true}}.dump()};
  const Change& change = *done.change;
  ordered_json answer{{"drained", order.words}};
  add_figures(done, answer);
  answer["sent"] = name_of(change.order.method);
  answer["groups_paused"] = change.order.groups_pause;
  answer["lossy_lids"] = change.lossy_lids;
  if (done.hosts_drained > 0) answer["hosts"] = done.hosts_drained;
  return {
      fmt::format("drained by order: {}: {} LFT entries changed ({}; sent {} in {} phases){}", what,
                  change.delta.lft.size(), change.method, way_of(change.order),
                  change.order.phases.size(),
                  done.written.all_confirmed && change.lossy_lids == 0 ? ", no packet lost" : ""),
      answer.dump()};
}

OrderReport report_reroute(const PreparedChange& done) {
  const Change& change = *done.change;
  ordered_json answer{{"engine", done.engine}, {"was", change.before->engine}};
  add_figures(done, answer);
  answer["sl2vl_rows"] = done.written.confirmed.rows.size();
  answer["sent"] = name_of(change.order.method);
  answer["groups_paused"] = change.order.groups_pause;
  return {fmt::format("rerouted by order: {} to {}: {} LFT entries changed, sent {}; "
                      "routing_engine in opensm.conf decides after a restart",
                      change.before->engine, done.engine, change.delta.lft.size(),
                      way_of(change.order)),
          answer.dump()};
}

OrderReport report_shorten(const PreparedChange& done) {
  if (!done.change) return {};
  return {
      fmt::format("repaired paths were {:.1f} % longer than recomputed ones, with {:.1f} % less "
                  "bisection bandwidth: {} LFT entries changed, sent {}, {} paths have another SL",
                  done.longer_percent, done.slower_percent, done.change->delta.lft.size(),
                  way_of(done.change->order), done.change->readdressed),
      ""};
}

OrderReport report_completion(const PreparedChange& done) {
  if (!done.change) return {};
  const Change& change = *done.change;
  const std::string what =
      has_dark_lids(*change.before)
          ? "every LID has a route from everywhere again"
          : fmt::format("responses on the request's SL are {} again", name(change.after->grade()));
  return {
      fmt::format("{}: {} LFT entries changed ({}), sent {}, {} paths have another SL", what,
                  change.delta.lft.size(), change.method, way_of(change.order), change.readdressed),
      ""};
}

OrderReport report_install(const PreparedChange& done) {
  if (!done.change) return {};
  const Change& change = *done.change;
  // After a fault an engine's repaired tables may serve until it has computed new ones.
  const std::string before = change.before->engine == change.after->engine
                                 ? "its earlier ones"
                                 : "those of " + change.before->engine;
  return {fmt::format("the tables of {} are ready after {:.1f} s, and in force instead of {}: {} "
                      "LFT entries changed, sent {}, {} paths have another SL",
                      change.after->engine, done.computed_ms / 1000, before,
                      change.delta.lft.size(), way_of(change.order), change.readdressed),
          ""};
}

/// Which pairs should ask for path records again.
std::string fresh_text(const PreparedChange& done) {
  return describe_fresh(done.change->after->fabric, pairs_hit(*done.change->after));
}

OrderReport report_readdress(const PreparedChange& done) {
  if (!done.change) return {};
  const Change& change = *done.change;
  return {fmt::format("{} ({} LFT entries changed, sent {})", fresh_text(done),
                      change.delta.lft.size(), way_of(change.order)),
          ""};
}

OrderReport report_return(const PreparedChange& done) {
  if (!done.change) return {};
  const Change& change = *done.change;
  return {fmt::format("fresh LIDs have no paths any more: {} LFT entries changed, sent {}",
                      change.delta.lft.size(), way_of(change.order)),
          ""};
}

/// The restored components, by name.
std::string restored_text(const PreparedChange& done) {
  const Change& change = *done.change;
  return describe(change.after->fabric, missing_from(change.before->fabric, change.after->fabric));
}

OrderReport report_restore(const PreparedChange& done) {
  if (!done.change) return {};
  const Change& change = *done.change;
  return {fmt::format(
              "fast path: {} is back: {} LFT entries in {} blocks and {} SL2VL rows changed "
              "({}; sent {} in {} phases), proved{}; computed {:.1f} ms, proved {:.1f} ms, "
              "sent and read back {:.1f} ms",
              restored_text(done), change.delta.lft.size(), done.written.confirmed.blocks.size(),
              done.written.confirmed.rows.size(), change.method, way_of(change.order),
              change.order.phases.size(), unconfirmed_note(done.written),
              change.after->steps.compute_ms, change.after->steps.prove_ms, done.written.ms),
          ""};
}

OrderReport report_of(const Order& order, const PreparedChange& done) {
  switch (order.kind) {
    case Order::Kind::kDrain:
      return report_drain(order, done);
    case Order::Kind::kReroute:
      return report_reroute(done);
    case Order::Kind::kInstall:
      return report_install(done);
    case Order::Kind::kCompleteRepair:
      return report_completion(done);
    case Order::Kind::kReaddress:
      return report_readdress(done);
    case Order::Kind::kReturnLids:
      return report_return(done);
    case Order::Kind::kRestore:
      return report_restore(done);
    case Order::Kind::kShorten:
    case Order::Kind::kUndrain:
      break;
  }
  return report_shorten(done);
}

RoutingEvent::Kind kind_of(Order::Kind kind) {
  using Kind = RoutingEvent::Kind;
  switch (kind) {
    case Order::Kind::kDrain:
      return Kind::kDrained;
    case Order::Kind::kReroute:
      return Kind::kRerouted;
    case Order::Kind::kInstall:
      return Kind::kInstalled;
    case Order::Kind::kCompleteRepair:
      return Kind::kDarkLidsRouted;
    case Order::Kind::kReaddress:
      return Kind::kReaddressed;
    case Order::Kind::kReturnLids:
      return Kind::kLidsReturned;
    case Order::Kind::kRestore:
      return Kind::kRestored;
    case Order::Kind::kShorten:
    case Order::Kind::kUndrain:
      break;
  }
  return Kind::kShortened;
}

}  // namespace

OrderReport report_order(const Order& order, const PreparedChange& done) {
  OrderReport report = report_of(order, done);
  if (!report.answer.empty()) report.answer += "\n";
  return report;
}

std::optional<RoutingEvent> event_of(const Order& order, const PreparedChange& done) {
  if (!done.change) return std::nullopt;
  const std::string what = order.kind == Order::Kind::kReaddress ? fresh_text(done)
                           : order.kind == Order::Kind::kRestore ? restored_text(done)
                           : order.words.empty()                 ? done.change->after->engine
                                                 : fmt::format("{}", fmt::join(order.words, ", "));
  return event_of(kind_of(order.kind), what, *done.change, done.written);
}

}  // namespace selvedge
