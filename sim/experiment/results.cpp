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
    "points",       "point_keys",      "batches",        "histograms",
    "rearranging",  "samples",         "losses",         "run_events",
    "channel_use",  "vl_use",          "channel_losses", "classes",
    "class_losses", "self_routing",    "moves",          "permutation_moves",
    "receivers",    "reconfiguration", "changes"};
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
      {"adaptive_hops_used_up", value_of(r.totals.adaptive_hops_used_up)},
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

/// The columns of delivery in order; NULL where it was not measured.
Row protocol_figures(const PointResult& r) {
  const auto share = [](auto part, auto of) {
    return of > 0 ? Value(static_cast<double>(part) / static_cast<double>(of)) : Value();
  };
  const HcaFigures f = r.hca ? r.hca->figures : HcaFigures{};
  const Rearranged early = r.rearranged.value_or(Rearranged{});
  const auto if_seen = [&](auto n) { return r.rearranged ? value_of(n) : Value(); };
  const auto if_on = [&](auto n) { return r.hca ? value_of(n) : Value(); };
  return {
      {"hca_early_share", share(early.early, early.received)},
      {"hca_distance_mean", if_seen(early.distance.mean())},
      {"hca_distance_max", if_seen(static_cast<std::uint64_t>(early.distance.max()))},
      {"hca_memory_bytes_mean", if_seen(early.bytes_mean)},
      {"hca_memory_bytes_max", if_seen(early.bytes_max)},
      {"hca_connection_memory_bytes_max", if_seen(early.connection_bytes_max)},
      {"hca_packets_sent", if_on(f.sent)},
      {"hca_resent_share", share(f.resent_lost + f.resent_rejected, f.sent)},
      {"hca_waste_share", share(f.resent_bytes + f.control_bytes, f.sent_bytes + f.control_bytes)},
      {"hca_limited_share", share(f.limited_ticks, f.busy_ticks)},
      {"hca_duplicate_share", share(f.duplicates, f.received)},
      {"hca_packets_rejected", if_on(f.rejected)},
      {"hca_control_packets", if_on(f.control)},
  };
}

std::string placeholders(std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<std::string_view>(count, "?"), ", "));
}

Statement insert(Database& database, std::string_view table, std::size_t columns) {
  return database.prepare(
      fmt::format("INSERT OR REPLACE INTO {} VALUES ({})", table, placeholders(columns)));
}

/// `unit`: what a slot's bounds count, in the unit of the table.
void add_histogram(Database& database, const char* table, const std::string& digest,
                   const char* kind, const Histogram& histogram, double unit) {
  Statement row = insert(database, table, 5);
  for (std::size_t i = 0; i + 1 < histogram.bins(); ++i)
    if (histogram.count_in(i) > 0)
      row.run({digest, kind, static_cast<double>(Histogram::lower_bound(i)) * unit,
               static_cast<double>(Histogram::lower_bound(i + 1)) * unit,
               value_of(histogram.count_in(i))});
}

void add_samples(Database& database, const std::string& digest, const PointResult& r) {
  Statement sample = insert(database, "samples", 15);
  Statement loss = insert(database, "losses", 4);
  for (const Sample& s : r.samples) {
    std::uint64_t lost = 0;
    for (unsigned i = 0; i < kLosses; ++i) {
      lost += s.lost[i];
      if (s.lost[i] > 0) loss.run({digest, s.at_us, kLossNames[i], value_of(s.lost[i])});
    }
    sample.run({digest, s.at_us, std::int64_t{s.measured}, value_of(s.delivered), value_of(lost),
                value_of(s.delivered_bytes), value_of(s.latency_ns), value_of(s.in_flight),
                value_of(s.waiting), s.occupied_mean, s.occupied_max, value_of(s.rearrange_mean),
                value_of(s.rearrange_max), value_of(s.rearrange_connection_mean),
                value_of(s.rearrange_connection_max)});
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

void add_classes(Database& database, const Point& point, const PointResult& r) {
  Statement row = insert(database, "classes", 17);
  Statement loss = insert(database, "class_losses", 4);
  for (std::size_t c = 0; c < r.classes.size(); ++c) {
    const ClassFigures& of = r.classes[c];
    const bool any = of.packets > 0;
    const auto latency = [&](double ticks) { return any ? Value(ticks * r.ns_per_tick) : Value(); };
    const bool video = of.frames + of.frames_lost > 0;
    const auto if_video = [&](std::uint64_t n) { return video ? value_of(n) : Value(); };
    const bool probes = point.traffic.classes[c].paths == ClassSpec::Paths::kProbe;
    const auto if_probes = [&](std::uint64_t n) { return probes ? value_of(n) : Value(); };
    Value dmp, dmt_ms;
    if (of.frames > 0) {
      dmp = static_cast<double>(of.missed) / static_cast<double>(of.frames);
      dmt_ms = of.missed == 0 ? 0.0
                              : static_cast<double>(of.late) * r.ns_per_tick / 1e6 /
                                    static_cast<double>(of.missed);
    }
    const std::int64_t number = static_cast<std::int64_t>(c);
    row.run({point.digest, number, point.traffic.classes[c].name, value_of(of.packets),
             value_of(of.bytes), value_of(of.all_lost()), latency(of.latency.mean()),
             latency(of.latency.quantile(0.99)), latency(static_cast<double>(of.latency.max())),
             if_video(of.frames), if_video(of.missed), if_video(of.frames_lost), dmp, dmt_ms,
             if_probes(of.admission.admitted), if_probes(of.admission.refused),
             if_probes(of.admission.probes)});
    for (unsigned i = 0; i < kLosses; ++i)
      if (of.lost[i] > 0) loss.run({point.digest, number, kLossNames[i], value_of(of.lost[i])});
  }
}

/// The columns of each class in results.csv.
constexpr std::string_view kClassColumns[] = {
    "packets",     "packets_lost", "latency_mean_ns", "latency_p99_ns", "frames",
    "frames_lost", "dmp",          "dmt_ms",          "streams",        "streams_refused"};

/// A mean over values that are added one by one, with the least and the greatest.
struct Spread {
  double sum = 0, min = INFINITY, max = -INFINITY;
  std::size_t count = 0;
  void add(double value) {
    sum += value;
    min = std::min(min, value);
    max = std::max(max, value);
    ++count;
  }
  Value mean() const { return count == 0 ? Value() : finite(sum / static_cast<double>(count)); }
};

void add_receivers(Database& database, const std::string& digest, const RoutedFabric& routed,
                   const PointResult& r, std::vector<Value>& row) {
  Statement receiver = insert(database, "receivers", 9);
  const std::vector<Received>& received = r.self_routing->received();
  Spread throughput, latency, longest, ratio, window;
  for (HostId h = 0; h < received.size() && r.measured_us > 0; ++h) {
    if (!routed.fabric.attached(h)) continue;
    const Received& one = received[h];
    const double gbps = static_cast<double>(one.bytes) * 8 / (r.measured_us * 1000);
    throughput.add(gbps);
    Value mean, max, early_ratio, gap;
    if (one.packets > 0) {
      const double ns = static_cast<double>(one.network_latency) * r.ns_per_tick /
                        static_cast<double>(one.packets);
      const double longest_ns = static_cast<double>(one.network_latency_max) * r.ns_per_tick;
      mean = ns;
      max = longest_ns;
      early_ratio = one.early_ratio();
      latency.add(ns);
      longest.add(longest_ns);
      ratio.add(one.early_ratio());
      if (one.window()) window.add(*one.window());
      gap = value_of(one.window());
    }
    receiver.run({digest, std::int64_t{h}, value_of(one.packets), gbps, mean, max,
                  value_of(one.early), early_ratio, gap});
  }
  for (const Value& value :
       {throughput.mean(), finite(throughput.min), finite(throughput.max), latency.mean(),
        finite(latency.min), finite(latency.max), finite(longest.max), ratio.mean(),
        finite(ratio.max), window.mean(), finite(window.max)})
    row.push_back(value);
}

void add_permutations(Database& database, const std::string& digest, const PointResult& r,
                      std::vector<Value>& row) {
  const auto us = [&](Tick t) { return static_cast<double>(t) * r.ns_per_tick / 1000; };
  Statement permutation = insert(database, "permutation_moves", 7);
  Spread settle;
  std::uint64_t settled = 0;
  for (const PermutationMoves& one : r.self_routing->permutations(r.ended)) {
    const Value last = one.last_move ? Value(us(*one.last_move - one.start)) : Value();
    permutation.run({digest, value_of(one.number), us(one.start), us(one.end),
                     std::int64_t{one.whole}, value_of(one.moves), last});
    if (!one.whole) continue;
    settle.add(one.last_move ? us(*one.last_move - one.start) : 0);
    const Tick quiet = one.end - one.last_move.value_or(one.start);
    settled += quiet >= r.self_routing->period() ? 1 : 0;
  }
  row.push_back(value_of(std::uint64_t{settle.count}));
  row.push_back(settle.count == 0
                    ? Value()
                    : Value(static_cast<double>(settled) / static_cast<double>(settle.count)));
  row.push_back(settle.mean());
  row.push_back(finite(settle.max));
}

void add_self_routing(Database& database, const std::string& digest, const RoutedFabric& routed,
                      const PointResult& r) {
  const SelfRoutingWatch& watch = *r.self_routing;
  Statement moves = insert(database, "moves", 4);
  for (SwitchId s = 0; s < routed.fabric.num_switches(); ++s) {
    const std::vector<std::uint64_t>& of = watch.periods(s);
    for (std::size_t i = 0; i < of.size(); ++i)
      if (of[i] > 0)
        moves.run(
            {digest, std::int64_t{s},
             static_cast<double>(static_cast<Tick>(i) * watch.period()) * r.ns_per_tick / 1000,
             value_of(of[i])});
  }
  std::vector<Value> row{digest, r.measured_us > 0 ? value_of(watch.moves_measured()) : Value(),
                         r.measured_us > 0
                             ? Value(static_cast<double>(watch.moves_measured()) / r.measured_us)
                             : Value(),
                         value_of(r.totals.ears_sent), value_of(r.totals.ears_lost)};
  add_receivers(database, digest, routed, r, row);
  add_permutations(database, digest, r, row);
  insert(database, "self_routing", row.size()).run(row);
}

/// Packets lost since the start for one of these reasons.
std::uint64_t lost_for(const Totals& totals, std::initializer_list<Loss> reasons) {
  std::uint64_t sum = 0;
  for (const Loss why : reasons) sum += totals.lost[static_cast<unsigned>(why)];
  return sum;
}

void add_reconfiguration(Database& database, const std::string& digest, const PointResult& r) {
  const ReconfigurationResult& all = *r.reconfiguration;
  const auto us = [&](Tick from, Tick to) {
    return from == kNever || to == kNever
               ? Value()
               : Value(static_cast<double>(to - from) * r.ns_per_tick / 1000);
  };
  const auto mean_ns = [&](const Delivered& of, auto sum) {
    return of.packets == 0
               ? Value()
               : Value(static_cast<double>(sum) * r.ns_per_tick / static_cast<double>(of.packets));
  };
  const auto rate = [&](const Delivered& of, Tick ticks) {
    return ticks == 0 ? Value()
                      : Value(static_cast<double>(of.bytes) /
                              (static_cast<double>(ticks) * r.ns_per_tick * r.switches));
  };
  Statement row = insert(database, "changes", 12);
  Reconfiguration sum;
  std::uint64_t aborted = 0;
  for (std::size_t i = 0; i < all.changes.size(); ++i) {
    const Reconfiguration& c = all.changes[i];
    row.run({digest, value_of(std::uint64_t{i}), us(0, c.cause), us(0, c.detected),
             us(0, c.computed), us(0, c.distributed), std::int64_t{c.aborted}, value_of(c.writes),
             value_of(c.lft_entries), value_of(c.requests), value_of(c.repeated),
             value_of(c.unconfirmed)});
    sum.writes += c.writes;
    sum.lft_entries += c.lft_entries;
    sum.requests += c.requests;
    sum.repeated += c.repeated;
    sum.unconfirmed += c.unconfirmed;
    aborted += c.aborted ? 1 : 0;
  }
  const Reconfiguration none;
  const Reconfiguration& first = all.changes.empty() ? none : all.changes.front();
  const Reconfiguration& last = all.changes.empty() ? none : all.changes.back();
  insert(database, "reconfiguration", 29)
      .run({digest,
            value_of(std::uint64_t{all.changes.size()}),
            value_of(aborted),
            std::int64_t{all.reached},
            us(first.cause, first.detected),
            us(first.detected, first.computed),
            us(first.computed, first.distributed),
            us(first.cause, last.distributed),
            value_of(sum.writes),
            value_of(sum.lft_entries),
            value_of(sum.requests),
            value_of(sum.repeated),
            value_of(sum.unconfirmed),
            value_of(lost_for(r.totals,
                              {Loss::kCut, Loss::kDeadPort, Loss::kNoRoute, Loss::kWrongHost})),
            value_of(lost_for(r.totals, {Loss::kRecovery})),
            value_of(lost_for(r.totals, {Loss::kVl15})),
            value_of(lost_for(r.totals, {Loss::kHeadOfQueue, Loss::kSwitchLife})),
            us(0, all.outage),
            us(0, all.stall),
            all.before.packets == 0 ? Value() : us(0, all.before.longest),
            rate(all.before, all.before_ticks),
            rate(all.during, all.during_ticks),
            mean_ns(all.before, all.before.latency),
            mean_ns(all.during, all.during.latency),
            mean_ns(all.generated, all.generated.latency),
            mean_ns(all.during, all.during.latency - all.during.in_network),
            mean_ns(all.during, all.during.in_network),
            mean_ns(all.during, r.totals.token_wait),
            value_of(all.smps)});
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
  Row row = figures(point, routed, r);
  for (const auto& column : protocol_figures(r)) row.push_back(column);
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
  add_histogram(database_, "histograms", digest, "latency", r.window.latency, r.ns_per_tick);
  add_histogram(database_, "histograms", digest, "network_latency", r.window.network_latency,
                r.ns_per_tick);
  if (r.rearranged)
    add_histogram(database_, "rearranging", digest, "distance", r.rearranged->distance, 1);
  if (r.hca) {
    add_histogram(database_, "rearranging", digest, "memory", r.hca->host_bytes, 1);
    add_histogram(database_, "rearranging", digest, "connection_memory", r.hca->connection_bytes,
                  1);
  }
  add_samples(database_, digest, r);
  Statement run_event = insert(database_, "run_events", 4);
  for (std::size_t i = 0; i < r.run_events.size(); ++i)
    run_event.run(
        {digest, value_of(std::uint64_t{i}), r.run_events[i].at_us, r.run_events[i].what});
  if (r.measured_us > 0) add_use(database_, digest, routed, r);
  add_classes(database_, point, r);
  if (r.reconfiguration) add_reconfiguration(database_, digest, r);
  if (r.self_routing) add_self_routing(database_, digest, routed, r);
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

std::vector<std::string> Results::figures_of(std::string_view table) {
  std::vector<std::string> columns;
  for (const auto& row :
       database_.rows(fmt::format("SELECT name FROM pragma_table_info('{}')", table)))
    if (const std::string name = text_of(row[0]); name != "fabric" && name != "digest")
      columns.push_back(name);
  return columns;
}

std::vector<std::string> Results::columns() {
  std::vector<std::string> columns = figures_of("points");
  if (!database_.rows("SELECT 1 FROM plan JOIN self_routing USING (digest) LIMIT 1").empty())
    for (std::string& name : figures_of("self_routing")) columns.push_back(std::move(name));
  if (!database_.rows("SELECT 1 FROM plan JOIN reconfiguration USING (digest) LIMIT 1").empty())
    for (std::string& name : figures_of("reconfiguration")) columns.push_back(std::move(name));
  return columns;
}

std::vector<std::string> Results::class_columns() { return figures_of("classes"); }

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
  text += fmt::format(",{}", fmt::join(figures, ","));
  std::vector<std::string> classes;
  for (const auto& row : database_.rows("SELECT DISTINCT name FROM plan JOIN classes USING "
                                        "(digest) ORDER BY class, name"))
    classes.push_back(text_of(row[0]));
  for (const std::string& name : classes)
    for (const std::string_view column : kClassColumns) text += fmt::format(",{}:{}", name, column);
  text += "\n";
  for (const auto& row : database_.rows(
           fmt::format("SELECT plan.position, plan.digest, {} FROM {} ORDER BY plan.position",
                       fmt::join(figures, ", "), kFiguresOfPlan))) {
    text += text_of(row[0]);
    for (const std::string& axis : swept) text += "," + quoted(key(text_of(row[1]), axis));
    for (std::size_t i = 2; i < row.size(); ++i) text += "," + quoted(text_of(row[i]));
    for (const std::string& name : classes) {
      const std::vector<Value> of{row[1], name};
      const auto found =
          database_
              .prepare(fmt::format("SELECT {} FROM classes WHERE digest = ? AND name = ?",
                                   fmt::join(kClassColumns, ", ")))
              .rows(of);
      for (std::size_t i = 0; i < std::size(kClassColumns); ++i)
        text += "," + (found.empty() ? "" : text_of(found[0][i]));
    }
    text += "\n";
  }
  return text;
}

}  // namespace selvedge::sim
