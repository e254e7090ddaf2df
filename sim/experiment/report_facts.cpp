// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "sim/experiment/report.hpp"

namespace selvedge::sim {
namespace {

using SortedJson = nlohmann::json;

SortedJson json_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) {
    // Seven digits are enough: a drawing cannot show more.
    if (!std::isfinite(*number)) return nullptr;
    return SortedJson::parse(fmt::format("{:.7g}", *number));
  }
  return nullptr;
}

std::string text_in(const std::vector<Value>& row, std::size_t i) { return text_of(row[i]); }

SortedJson rows_of(Database& results, const std::string& sql, const std::string& key) {
  SortedJson rows = SortedJson::array();
  const Value wanted[] = {key};
  for (const auto& row : results.prepare(sql).rows(wanted)) {
    SortedJson one = SortedJson::array();
    for (const Value& value : row) one.push_back(json_of(value));
    rows.push_back(std::move(one));
  }
  return rows;
}

/// A database table as an object with an array per column: {"at_us": […], "delivered": […], …}.
SortedJson columns_of(Database& results, const std::vector<std::string>& names,
                      const std::string& from, const std::string& key) {
  SortedJson columns = SortedJson::object();
  for (const std::string& name : names) columns[name] = SortedJson::array();
  const Value wanted[] = {key};
  const auto sql = fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), from);
  for (const auto& row : results.prepare(sql).rows(wanted))
    for (std::size_t i = 0; i < names.size(); ++i) columns[names[i]].push_back(json_of(row[i]));
  return columns;
}

SortedJson fabric_of(Database& results, const std::string& id) {
  const Value wanted[] = {id};
  const auto rows =
      results.prepare("SELECT spec, form, sizes FROM fabrics WHERE id = ?").rows(wanted);
  SortedJson fabric = {{"spec", ""}, {"form", "none"}, {"sizes", ""}};
  if (!rows.empty())
    fabric = {{"spec", json_of(rows[0][0])},
              {"form", json_of(rows[0][1])},
              {"sizes", json_of(rows[0][2])}};
  fabric["switches"] = rows_of(
      results, "SELECT id, name, level, place FROM switches WHERE fabric = ? ORDER BY id", id);
  fabric["hosts"] =
      rows_of(results, "SELECT id, name, switch FROM hosts WHERE fabric = ? ORDER BY id", id);
  fabric["channels"] = rows_of(results,
                               "SELECT id, name, from_switch, from_host, to_switch, to_host FROM "
                               "channels WHERE fabric = ? ORDER BY id",
                               id);
  return fabric;
}

std::vector<std::string> names_in(Database& results, const std::string& table) {
  std::vector<std::string> names;
  for (const auto& row :
       results.rows(fmt::format("SELECT name FROM pragma_table_info('{}')", table)))
    names.push_back(text_in(row, 0));
  return names;
}

/// A point's figures by their column names, and its histograms, samples, losses, events and link
/// use.
SortedJson point_of(Database& results, const std::string& digest,
                    const std::vector<std::string>& columns) {
  const Value wanted[] = {digest};
  const auto found =
      results
          .prepare(fmt::format("SELECT {} FROM points WHERE digest = ?", fmt::join(columns, ", ")))
          .rows(wanted);
  SortedJson point = SortedJson::object();
  if (found.empty()) return point;
  for (std::size_t i = 0; i < columns.size(); ++i) point[columns[i]] = json_of(found[0][i]);
  for (const char* kind : {"latency", "network_latency"})
    point[std::string(kind) + "_histogram"] = columns_of(
        results, {"from_ns", "to_ns", "packets"},
        fmt::format("histograms WHERE digest = ? AND kind = '{}' ORDER BY from_ns", kind), digest);
  for (const char* kind : {"distance", "memory", "connection_memory"})
    point[std::string("rearranging_") + kind] = columns_of(
        results, {"at_least", "below", "count"},
        fmt::format("rearranging WHERE digest = ? AND kind = '{}' ORDER BY at_least", kind),
        digest);
  point["samples"] = columns_of(
      results,
      {"at_us", "measured", "delivered", "lost", "delivered_bytes", "latency_mean_ns", "in_flight",
       "waiting_at_sources", "occupied_share_mean", "occupied_share_max", "rearrange_bytes_mean",
       "rearrange_bytes_max", "rearrange_connection_bytes_mean", "rearrange_connection_bytes_max"},
      "samples WHERE digest = ? ORDER BY at_us", digest);
  point["losses"] = rows_of(
      results, "SELECT at_us, reason, packets FROM losses WHERE digest = ? ORDER BY at_us, reason",
      digest);
  point["run_events"] = rows_of(
      results, "SELECT at_us, what FROM run_events WHERE digest = ? ORDER BY position", digest);
  point["use"] = columns_of(results, {"channel", "packets", "utilisation", "xmit_wait_share"},
                            "channel_use WHERE digest = ? ORDER BY channel", digest);
  point["vl_use"] = columns_of(results, {"channel", "vl", "packets", "utilisation"},
                               "vl_use WHERE digest = ? ORDER BY vl, channel", digest);
  point["channel_losses"] = rows_of(results,
                                    "SELECT channel, reason, packets FROM channel_losses WHERE "
                                    "digest = ? ORDER BY channel, reason",
                                    digest);
  point["classes"] = rows_of(results,
                             "SELECT name, packets, packets_lost, latency_mean_ns, latency_p99_ns, "
                             "frames, frames_lost, dmp, dmt_ms FROM classes WHERE digest = ? "
                             "ORDER BY class",
                             digest);
  const auto changes = columns_of(results, {"outage_us", "stall_us", "reconfiguration_us"},
                                  "reconfiguration WHERE digest = ?", digest);
  for (const auto& [name, values] : changes.items())
    if (!values.empty()) point["reconfiguration"][name] = values[0];
  const auto self_routing = columns_of(results, names_in(results, "self_routing"),
                                       "self_routing WHERE digest = ?", digest);
  if (self_routing["flow_moves"].empty()) return point;
  for (const auto& [name, values] : self_routing.items())
    if (name != "digest") point["self_routing"][name] = values[0];
  point["moves"] = rows_of(results,
                           "SELECT switch, from_us, moves FROM moves WHERE digest = ? "
                           "ORDER BY switch, from_us",
                           digest);
  point["permutations"] =
      rows_of(results,
              "SELECT start_us, end_us, last_move_us FROM permutation_moves WHERE "
              "digest = ? ORDER BY permutation",
              digest);
  point["receivers"] =
      columns_of(results, {"throughput_gbps", "latency_mean_ns", "early_ratio", "window_packets"},
                 "receivers WHERE digest = ? ORDER BY host", digest);
  return point;
}

}  // namespace

SortedJson report_facts(Database& results) {
  SortedJson facts = {
      {"file", results.path()}, {"axes", SortedJson::array()}, {"points", SortedJson::array()}};
  for (const auto& row : results.rows("SELECT key, value FROM meta"))
    facts["meta"][text_in(row, 0)] = text_in(row, 1);
  for (const auto& row : results.rows("SELECT key FROM axes ORDER BY position"))
    facts["axes"].push_back(text_in(row, 0));
  const std::vector<std::string> columns = names_in(results, "points");

  // Keys whose values differ between points are given with each point.
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, SortedJson> keys_of;
  std::set<std::string> fabrics;
  for (const auto& row : results.rows(
           "SELECT plan.digest, key, value FROM plan JOIN points USING (digest) JOIN point_keys "
           "USING (digest)")) {
    values[text_in(row, 1)].insert(text_in(row, 2));
    keys_of[text_in(row, 0)][text_in(row, 1)] = text_in(row, 2);
  }
  facts["keys"] = SortedJson::object();
  for (const auto& [key, all] : values)
    if (all.size() == 1) facts["keys"][key] = *all.begin();
  for (const auto& row : results.rows(
           "SELECT plan.digest, plan.position FROM plan JOIN points USING (digest) ORDER BY "
           "plan.position")) {
    const std::string digest = text_in(row, 0);
    SortedJson point = point_of(results, digest, columns);
    point["position"] = json_of(row[1]);
    point["keys"] = SortedJson::object();
    for (const auto& [key, value] : keys_of[digest].items())
      if (values[key].size() > 1) point["keys"][key] = value;
    fabrics.insert(point["fabric"].get<std::string>());
    facts["points"].push_back(std::move(point));
  }
  if (facts["points"].empty())
    throw InputError("there are no points to report on", results.path(),
                     "run an experiment into it first");
  for (const std::string& id : fabrics) facts["fabrics"][id] = fabric_of(results, id);
  return facts;
}

}  // namespace selvedge::sim
