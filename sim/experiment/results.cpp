// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/results.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "plugin/fabric/regularity.hpp"
#include "sim/experiment/schema.hpp"

namespace selvedge::sim {
namespace {

using Row = std::vector<std::pair<std::string_view, Value>>;

/// The tables of points and of fabrics, which merge_from() copies.
constexpr std::string_view kPointTables[] = {
    "points", "point_keys", "batches",     "histograms", "samples",
    "losses", "run_events", "channel_use", "vl_use",     "channel_losses"};
constexpr std::string_view kFabricTables[] = {"fabrics", "switches", "hosts", "channels"};

/// The number, or NULL if it is not finite: an interval of infinite width is unknown.
Value finite(double n) { return std::isfinite(n) ? Value(n) : Value(); }

/// The point's row of the table `points`.
Row figures(const Point& point, const RoutedFabric& routed, const PointResult& r) {
  const bool measured = r.window.packets > 0;
  ChannelUse all;
  for (const ChannelUse& of : r.use) all += of;
  const auto if_measured = [&](double n) { return measured ? finite(n) : Value(); };
  const auto quantile = [&](const Histogram& h, double share) {
    return if_measured(h.quantile(share) * r.ns_per_tick);
  };
  const double ns = r.measured_us * 1000;
  const double per_switch = ns > 0 ? ns * r.switches : 1;
  const double capacity = r.hosts * r.host_link_bytes_per_ns;
  const Window& w = r.window;
  return {
      {"digest", point.digest},
      {"fabric", routed.id},
      {"state", std::string(state_name(r.state))},
      {"diagnosis", r.diagnosis},
      {"latency_mean_ns", if_measured(r.latency.mean)},
      {"latency_half_width_ns", if_measured(r.latency.half_width)},
      {"latency_p50_ns", quantile(w.latency, 0.5)},
      {"latency_p90_ns", quantile(w.latency, 0.9)},
      {"latency_p99_ns", quantile(w.latency, 0.99)},
      {"latency_p999_ns", quantile(w.latency, 0.999)},
      {"latency_max_ns", if_measured(static_cast<double>(w.latency.max()) * r.ns_per_tick)},
      {"network_latency_mean_ns", if_measured(r.network_latency.mean)},
      {"network_latency_half_width_ns", if_measured(r.network_latency.half_width)},
      {"network_latency_p99_ns", quantile(w.network_latency, 0.99)},
      {"offered_bytes_per_ns_per_switch", value_of(r.offered)},
      {"accepted_bytes_per_ns_per_switch", static_cast<double>(w.bytes) / per_switch},
      {"accepted_half_width", if_measured(r.accepted.half_width)},
      {"accepted_load", ns > 0 ? static_cast<double>(w.bytes) / ns / capacity : 0},
      {"payload_bytes_per_ns_per_switch", static_cast<double>(w.payload_bytes) / per_switch},
      {"switches_per_packet",
       if_measured(static_cast<double>(w.switches) / static_cast<double>(w.packets))},
      {"packets_generated", value_of(r.totals.generated)},
      {"packets_injected", value_of(r.totals.injected)},
      {"packets_delivered", value_of(r.totals.delivered)},
      {"packets_lost", value_of(r.totals.all_lost())},
      {"packets_in_flight", value_of(r.totals.in_flight())},
      {"packets_waiting", value_of(r.waiting)},
      {"packet_hops", value_of(r.totals.packet_hops)},
      {"packets_measured", value_of(w.packets)},
      {"out_of_order_packets", value_of(w.out_of_order)},
      {"port_xmit_discards", value_of(all.xmit_discards())},
      {"port_rcv_switch_relay_errors", value_of(all.relay_errors())},
      {"vl15_dropped", value_of(all.vl15_dropped())},
      {"batches", value_of(std::uint64_t{r.batches.size()})},
      {"batch_correlation", r.batch_correlation},
      {"warmup_us", r.warmup_us},
      {"measured_us", r.measured_us},
      {"finished_us", value_of(r.finished_us)},
      {"vls_used", value_of(std::uint64_t{r.vls})},
      {"lmc", value_of(std::uint64_t{r.lmc})},
      {"events", value_of(r.totals.events)},
      {"cpu_s", r.cpu_s},
      {"wall_s", r.wall_s},
  };
}

std::string placeholders(std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<std::string_view>(count, "?"), ", "));
}

Statement insert(Database& database, std::string_view table, std::size_t columns) {
  return database.prepare(
      fmt::format("INSERT OR REPLACE INTO {} VALUES ({})", table, placeholders(columns)));
}

void add_histogram(Database& database, const std::string& digest, const char* kind,
                   const Histogram& histogram, double ns_per_tick) {
  Statement row = insert(database, "histograms", 5);
  for (std::size_t i = 0; i + 1 < histogram.bins(); ++i)
    if (histogram.count_in(i) > 0)
      row.run({digest, kind, static_cast<double>(Histogram::lower_bound(i)) * ns_per_tick,
               static_cast<double>(Histogram::lower_bound(i + 1)) * ns_per_tick,
               value_of(histogram.count_in(i))});
}

void add_samples(Database& database, const std::string& digest, const PointResult& r) {
  Statement sample = insert(database, "samples", 11);
  Statement loss = insert(database, "losses", 4);
  for (const Sample& s : r.samples) {
    std::uint64_t lost = 0;
    for (unsigned i = 0; i < kLosses; ++i) {
      lost += s.lost[i];
      if (s.lost[i] > 0) loss.run({digest, s.at_us, kLossNames[i], value_of(s.lost[i])});
    }
    sample.run({digest, s.at_us, std::int64_t{s.measured}, value_of(s.delivered), value_of(lost),
                value_of(s.delivered_bytes), value_of(s.latency_ns), value_of(s.in_flight),
                value_of(s.waiting), s.occupied_mean, s.occupied_max});
  }
}

void add_use(Database& database, const std::string& digest, const RoutedFabric& routed,
             const PointResult& r) {
  Statement use = insert(database, "channel_use", 9);
  Statement of_vl = insert(database, "vl_use", 6);
  Statement loss = insert(database, "channel_losses", 4);
  const double ns = r.measured_us * 1000;
  for (Channel c = 0; c < r.use.size(); ++c) {
    if (routed.fabric.peer(c) == kNoChannel) continue;
    const std::int64_t channel{c};
    const ChannelUse& u = r.use[c];
    const double byte_ns =
        routed.fabric.between_switches(c) ? r.link_byte_ns : 1 / r.host_link_bytes_per_ns;
    const auto utilisation = [&](const VlUse& sent) {
      return static_cast<double>(sent.bytes) * byte_ns / ns;
    };
    const VlUse sum = u.sum();
    use.run({digest, channel, value_of(sum.packets), value_of(sum.bytes), utilisation(sum),
             static_cast<double>(u.xmit_wait) * r.ns_per_tick / ns, value_of(u.xmit_discards()),
             value_of(u.relay_errors()), value_of(u.vl15_dropped())});
    for (unsigned vl = 0; vl < kVls; ++vl)
      if (const VlUse& sent = u.by_vl[vl]; sent.packets > 0)
        of_vl.run({digest, channel, std::int64_t{vl}, value_of(sent.packets), value_of(sent.bytes),
                   utilisation(sent)});
    for (unsigned i = 0; i < kLosses; ++i)
      if (u.lost[i] > 0) loss.run({digest, channel, kLossNames[i], value_of(u.lost[i])});
  }
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string form_name(const Regularity& form) {
  switch (form.kind) {
    case Regularity::Kind::kTorus:
      return "torus";
    case Regularity::Kind::kMesh:
      return "mesh";
    case Regularity::Kind::kTree:
      return "tree";
    case Regularity::Kind::kNone:
      break;
  }
  return "none";
}

}  // namespace

Results::Results(const std::string& path) : database_(path) { create_schema(); }
Results::Results() : database_(":memory:") { create_schema(); }

bool Results::has_schema() {
  const auto tables = database_.rows("SELECT name FROM sqlite_master WHERE type = 'table'");
  if (tables.empty()) return false;
  if (std::ranges::none_of(tables, [](const auto& row) { return text_of(row[0]) == "meta"; }))
    throw InputError("this database holds other data than results", database_.path(),
                     "move it away, or choose another --out");
  const auto format = database_.rows("SELECT value FROM meta WHERE key = 'format'");
  if (format.empty() || text_of(format[0][0]) != std::to_string(kResultsFormat))
    throw InputError("these results are of another version", database_.path(),
                     "move them away, or choose another --out");
  return true;
}

void Results::create_schema() {
  if (has_schema()) return;
  Transaction all(database_);
  if (has_schema()) return;  // another process has created it in the meantime
  database_.execute(std::string(kSchema));
  Statement meta = insert(database_, "meta", 2);
  meta.run({"format", std::to_string(kResultsFormat)});
  all.commit();
}

std::set<std::string> Results::finished() {
  std::set<std::string> digests;
  for (const auto& row : database_.rows("SELECT digest FROM points"))
    digests.insert(text_of(row[0]));
  return digests;
}

void Results::plan(const Experiment& experiment) {
  Transaction all(database_);
  database_.execute("DELETE FROM plan; DELETE FROM axes");
  Statement meta = insert(database_, "meta", 2);
  meta.run({"program", "selvedge-sim " SELVEDGE_VERSION});
  meta.run({"title", experiment.title});
  meta.run({"file", experiment.file});
  Statement axis = insert(database_, "axes", 2);
  for (std::size_t i = 0; i < experiment.axes.size(); ++i)
    axis.run({value_of(std::uint64_t{i}), experiment.axes[i]});
  Statement point = insert(database_, "plan", 2);
  for (std::size_t i = 0; i < experiment.points.size(); ++i)
    point.run({value_of(std::uint64_t{i}), experiment.points[i].digest});
  all.commit();
}

void Results::add_fabric(const Point& point, const RoutedFabric& routed) {
  const std::string& id = routed.id;
  const std::vector<Value> key{id};
  if (!database_.prepare("SELECT 1 FROM fabrics WHERE id = ?").rows(key).empty()) return;
  const Fabric& fabric = routed.fabric;
  const Regularity form = recognise(fabric);
  const std::size_t dimensions = form.sizes.size();
  insert(database_, "fabrics", 4)
      .run({id, point.fabric.spec, form_name(form),
            form.kind == Regularity::Kind::kTree ? fmt::format("k={},n={}", form.k, form.n)
                                                 : fmt::format("{}", fmt::join(form.sizes, "x"))});
  Statement node = insert(database_, "switches", 5);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    Value level, place;
    if (s < form.level.size()) level = std::int64_t{form.level[s]};
    if (dimensions > 0 && (s + 1) * dimensions <= form.coordinates.size())
      place = fmt::format("{}", fmt::join(form.coordinates.begin() + s * dimensions,
                                          form.coordinates.begin() + (s + 1) * dimensions, ","));
    node.run({id, std::int64_t{s}, fabric.node(s).name, level, place});
  }
  Statement host = insert(database_, "hosts", 4);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    host.run({id, std::int64_t{h}, fabric.host(h).name,
              fabric.attached(h) ? Value(std::int64_t{fabric.host(h).at}) : Value()});
  Statement channel = insert(database_, "channels", 7);
  for (Channel c = 0; c < fabric.num_channels(); ++c) {
    const Channel far = fabric.peer(c);
    if (far == kNoChannel) continue;
    const auto switch_at = [&](Channel port) {
      return fabric.from_switch(port) ? Value(std::int64_t{fabric.switch_of(port)}) : Value();
    };
    const auto host_at = [&](Channel port) {
      return fabric.from_switch(port) ? Value() : Value(std::int64_t{fabric.host_of(port)});
    };
    channel.run({id, std::int64_t{c}, fabric.port_name(c), switch_at(c), host_at(c), switch_at(far),
                 host_at(far)});
  }
}

void Results::add(const Point& point, const RoutedFabric& routed, const PointResult& r) {
  const std::string& digest = point.digest;
  Transaction all(database_);
  add_fabric(point, routed);
  const Row row = figures(point, routed, r);
  std::vector<std::string_view> names;
  std::vector<Value> values;
  for (const auto& [name, value] : row) {
    names.push_back(name);
    values.push_back(value);
  }
  database_
      .prepare(fmt::format("INSERT OR REPLACE INTO points ({}) VALUES ({})", fmt::join(names, ", "),
                           placeholders(names.size())))
      .run(values);
  Statement key = insert(database_, "point_keys", 3);
  for (const auto& [name, value] : point.keys) key.run({digest, name, value});
  Statement batch = insert(database_, "batches", 8);
  for (std::size_t i = 0; i < r.batches.size(); ++i) {
    const Batch& b = r.batches[i];
    batch.run({digest, value_of(std::uint64_t{i}), b.from_us, b.to_us, value_of(b.packets),
               value_of(b.latency_ns), value_of(b.network_latency_ns), b.accepted});
  }
  add_histogram(database_, digest, "latency", r.window.latency, r.ns_per_tick);
  add_histogram(database_, digest, "network_latency", r.window.network_latency, r.ns_per_tick);
  add_samples(database_, digest, r);
  Statement run_event = insert(database_, "run_events", 4);
  for (std::size_t i = 0; i < r.run_events.size(); ++i)
    run_event.run(
        {digest, value_of(std::uint64_t{i}), r.run_events[i].at_us, r.run_events[i].what});
  if (r.measured_us > 0) add_use(database_, digest, routed, r);
  all.commit();
}

void Results::merge(const std::string& path) {
  Results other(path);
  merge_from(other.database_);
}

void Results::merge_bytes(std::string_view bytes) {
  Database other = Database::from_bytes(bytes);
  merge_from(other);
}

void Results::merge_from(Database& other) {
  const std::set<std::string> have = finished();
  Transaction all(database_);
  const auto take = [&](std::string_view table, auto&& wanted) {
    const auto rows = other.rows(fmt::format("SELECT * FROM {}", table));
    if (rows.empty()) return;
    Statement statement = insert(database_, table, rows.front().size());
    for (const auto& row : rows)
      if (wanted(row)) statement.run(row);
  };
  for (const std::string_view table : kFabricTables) take(table, [](const auto&) { return true; });
  for (const std::string_view table : kPointTables)
    take(table, [&](const auto& row) { return !have.contains(text_of(row[0])); });
  all.commit();
}

std::vector<std::string> Results::axes() {
  std::vector<std::string> axes;
  for (const auto& row : database_.rows("SELECT key FROM axes ORDER BY position"))
    axes.push_back(text_of(row[0]));
  return axes;
}

std::vector<std::string> Results::columns() {
  std::vector<std::string> columns;
  for (const auto& row : database_.rows("SELECT name FROM pragma_table_info('points')"))
    if (const std::string name = text_of(row[0]); name != "fabric" && name != "digest")
      columns.push_back(name);
  return columns;
}

std::string Results::key(const std::string& digest, const std::string& key) {
  const std::vector<Value> which{digest, key};
  const auto values =
      database_.prepare("SELECT value FROM point_keys WHERE digest = ? AND key = ?").rows(which);
  return values.empty() ? "" : text_of(values[0][0]);
}

std::string Results::csv() {
  const std::vector<std::string> swept = axes();
  std::string text = "point";
  for (const std::string& axis : swept) text += "," + quoted(axis);
  const std::vector<std::string> figures = columns();
  text += fmt::format(",{}\n", fmt::join(figures, ","));
  for (const auto& row : database_.rows(
           fmt::format("SELECT plan.position, plan.digest, {} FROM plan JOIN points USING (digest) "
                       "ORDER BY plan.position",
                       fmt::join(figures, ", ")))) {
    text += text_of(row[0]);
    for (const std::string& axis : swept) text += "," + quoted(key(text_of(row[1]), axis));
    for (std::size_t i = 2; i < row.size(); ++i) text += "," + quoted(text_of(row[i]));
    text += "\n";
  }
  return text;
}

}  // namespace selvedge::sim
