// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/routing_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/stopwatch.hpp"
#include "base/toml_section.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/program/repaired.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/repaired_survival.hpp"
#include "plugin/tables/metrics.hpp"
#include "sim/clos/forecast.hpp"

namespace selvedge::sim {
namespace {

using Check = RoutingFigure::Check;
using Quantity = RoutingFigure::Quantity;

struct Name {
  std::string_view name;
  Quantity quantity;
  std::array<bool, 3> of;  // by Check
};
constexpr Name kQuantities[] = {
    {"disjoint", Quantity::kDisjoint, {true, false, false}},
    {"vls", Quantity::kVlsUsed, {true, true, false}},
    {"sls", Quantity::kSlsUsed, {true, true, false}},
    {"length", Quantity::kLength, {true, false, false}},
    {"shortest", Quantity::kShortest, {true, false, false}},
    {"seconds", Quantity::kSeconds, {true, false, false}},
    {"singular", Quantity::kSingular, {false, true, false}},
    {"most-entries", Quantity::kMostEntries, {false, false, true}},
    {"mean-entries", Quantity::kMeanEntries, {false, false, true}},
    {"bytes", Quantity::kBytes, {false, false, true}},
    {"repair-seconds", Quantity::kRepairSeconds, {false, false, true}},
    {"time-fit", Quantity::kTimeFit, {false, false, true}},
};
const RepairChoice kReaddress{.repair = "rftr", .mode = RepairMode::kReaddress};
constexpr unsigned kMostFaults = 64;
constexpr unsigned kTimedDraws = 40;  // of cables that fail together
constexpr std::int64_t kMostCombinations = 1'000'000'000;

Quantity read_quantity(TomlSection& s, Check check) {
  std::string text;
  s.read("quantity", text);
  std::vector<std::string_view> names;
  for (const Name& q : kQuantities) {
    if (!q.of[static_cast<std::size_t>(check)]) continue;
    if (q.name == text) return q.quantity;
    names.push_back(q.name);
  }
  throw s.not_allowed("quantity", fmt::format("one of {}", fmt::join(names, ", ")));
}

std::optional<unsigned> read_bound(TomlSection& s, std::string_view key, WholeRange limits) {
  if (!s.has(key)) return std::nullopt;
  unsigned value = 0;
  s.read(key, value, limits);
  return value;
}

std::optional<std::uint64_t> read_draw(TomlSection& s, std::string_view key) {
  if (!s.has(key)) return std::nullopt;
  std::int64_t value = 0;
  s.read(key, value, {.least = 1, .most = kMostCombinations});
  return static_cast<std::uint64_t>(value);
}

/// The LFT entries of all switches for the LIDs in use.
std::uint64_t entries(const Fabric& fabric) {
  std::uint64_t lids = 0;
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
    lids += fabric.owner(static_cast<Lid>(lid)).kind != LidOwner::Kind::kUnassigned ? 1 : 0;
  return lids * fabric.num_switches();
}

/// The median time in seconds of repairs of `count` cables that fail together.
double repair_seconds(const Subject& of, std::uint32_t count) {
  StableRandom random(count);
  std::vector<Channel> links(of.fabric.links().begin(), of.fabric.links().end());
  const std::size_t cables = std::min<std::size_t>(count, links.size());
  std::vector<double> seconds;
  for (unsigned i = 0; i < kTimedDraws; ++i) {
    random.shuffle(links);
    InPlaceRepair repair(of.fabric, of.tables, of.multicast, {.count_affected = false});
    const Fault fault{{links.begin(), links.begin() + static_cast<std::ptrdiff_t>(cables)}, {}};
    Stopwatch watch;
    repair.fail(fault);
    seconds.push_back(watch.lap_ms() / 1000);
  }
  const auto middle = seconds.begin() + kTimedDraws / 2;
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

}  // namespace

bool is_routing_check(const std::string& check) {
  return std::ranges::find(kRoutingChecks, check) != std::end(kRoutingChecks);
}

RoutingFigure read_routing_figure(TomlSection& s, const std::string& check) {
  RoutingFigure f;
  f.check = static_cast<Check>(std::ranges::find(kRoutingChecks, check) - kRoutingChecks);
  s.read("fabric", f.fabric);
  s.read("engine", f.engine.engine);
  for (const auto& [key, value] : {std::pair("fabric", &f.fabric), {"engine", &f.engine.engine}})
    if (value->empty()) throw s.error(key, "is missing", "add it");
  f.engine.lmc = read_bound(s, "lmc", {.least = 0, .most = kMaxLmc});
  f.engine.max_vls = read_bound(s, "max_vls", {.least = 1, .most = 15});
  f.engine.max_sls = read_bound(s, "max_sls", {.least = 1, .most = 16});
  EngineRequest::Tree tree = EngineRequest::Tree::kBest;
  s.choose("tree", tree, {"best", "bfs", "dfs"});
  f.engine.tree = tree;
  f.quantity = read_quantity(s, f.check);
  if (f.quantity == Quantity::kDisjoint) s.read("paths", f.paths, {.least = 1, .most = 128});
  if (f.check != Check::kFaults) return f;
  s.read("faults", f.faults, {.least = 1, .most = kMostFaults});
  s.choose("of", f.of, {"links", "switches"});
  f.draw = read_draw(s, "draw");
  f.quick_draw = read_draw(s, "quick_draw");
  if (f.draw && f.quick_draw && *f.quick_draw > *f.draw)
    throw s.error("quick_draw", "is above draw", "choose fewer");
  enum class Repair { kNone, kReaddress } repair = Repair::kNone;
  s.choose("repair", repair, {"none", "readdress"});
  f.readdress = repair == Repair::kReaddress;
  if (f.readdress) make_room(kReaddress, f.engine);
  if (!f.readdress && f.quantity != Quantity::kSingular)
    throw s.error("quantity", "is of repaired tables", "add repair = \"readdress\"");
  return f;
}

const RoutingFigures::Routed& RoutingFigures::routed(const RoutingFigure& f) {
  const auto bound = [](const auto& value) { return value ? fmt::format("{}", *value) : "-"; };
  const std::string key =
      fmt::format("{} {} {} {} {} {}", f.fabric, f.engine.engine, bound(f.engine.lmc),
                  bound(f.engine.max_vls), bound(f.engine.max_sls), int(*f.engine.tree));
  const auto [known, is_new] = known_.try_emplace(key);
  if (!is_new) return known->second;
  try {
    Progress progress;
    Routed made;
    made.subject = compute({f.fabric, {}}, f.engine, progress);
    made.verdict = prove(made.subject, {}, progress);
    const Verdict& v = made.verdict;
    if (!v.connected || !v.loop_free || !v.deadlock_free)
      throw InputError(fmt::format("the tables are not proved: {}", v.witnesses.at(0).text),
                       fmt::format("{}, {}", f.engine.engine, f.fabric),
                       "choose another engine for this figure");
    known->second = std::move(made);
  } catch (...) {
    known_.erase(known);
    throw;
  }
  return known->second;
}

double RoutingFigures::faults(const RoutingFigure& f) {
  const Routed& of = routed(f);
  const Fabric& fabric = of.subject.fabric;
  SurvivalRequest request;
  request.of = f.of;
  request.faults = f.faults;
  request.sample = quick_ && f.quick_draw ? f.quick_draw : f.draw;
  request.jobs = threads_;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  if (!f.readdress) {
    request.symmetry = !request.sample;
    const Survival s = survive(fabric, of.subject.tables, of.verdict.deadlock_free, request);
    return share(s.singular, s.evaluated);
  }
  Subject subject = of.subject;
  free_lids(kReaddress, f.engine, subject);
  RepairRequest repair = request_of(kReaddress, f.engine);
  repair.count_affected = false;
  const RepairedSurvival s =
      survive_repaired(fabric, readdress_sequences(fabric, subject.tables, repair), request);
  if (f.quantity == Quantity::kVlsUsed) return s.max_vls;
  if (f.quantity == Quantity::kSlsUsed) return s.max_sls;
  return share(s.singular, s.evaluated);
}

double RoutingFigures::repairs(const RoutingFigure& f) {
  const Subject& of = routed(f).subject;
  if (f.quantity == Quantity::kBytes)
    return static_cast<double>(
        InPlaceRepair(of.fabric, of.tables, of.multicast).bytes().reachability);
  if (f.quantity == Quantity::kRepairSeconds) return repair_seconds(of, 1);
  if (f.quantity == Quantity::kTimeFit) {
    const std::vector<double> cables{1, 2, 3, 4, 6, 8};
    std::vector<double> seconds;
    for (const double n : cables)
      seconds.push_back(repair_seconds(of, static_cast<std::uint32_t>(n)));
    return fit_line(cables, seconds).r_squared;
  }
  const auto all = static_cast<double>(entries(of.fabric));
  double most = 0, sum = 0;
  for (const Channel link : of.fabric.links()) {
    InPlaceRepair repair(of.fabric, of.tables, of.multicast);
    const double share = static_cast<double>(repair.fail({{link}, {}}).delta.lft.size()) / all;
    most = std::max(most, share);
    sum += share;
  }
  return f.quantity == Quantity::kMostEntries ? most
                                              : sum / static_cast<double>(of.fabric.links().size());
}

double RoutingFigures::value(const RoutingFigure& f) {
  if (f.check == Check::kFaults) return faults(f);
  if (f.check == Check::kRepairs) return repairs(f);
  const Routed& of = routed(f);
  switch (f.quantity) {
    case Quantity::kVlsUsed:
      return of.verdict.vls_used;
    case Quantity::kSlsUsed:
      return of.verdict.sls_used;
    case Quantity::kSeconds:
      return of.subject.compute_ms / 1000;
    default:
      break;
  }
  const Metrics m = measure(of.subject.fabric, of.subject.tables);
  if (f.quantity == Quantity::kLength) return m.path_length_mean;
  if (f.quantity == Quantity::kShortest) return m.shortest_length_mean;
  const auto with = m.disjoint.find(f.paths);
  return with == m.disjoint.end() ? 0 : with->second;
}

}  // namespace selvedge::sim
