// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/compare_sm_verb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/program/report.hpp"
#include "sim/emulate/server.hpp"
#include "sim/experiment/compare_sm.hpp"
#include "sim/experiment/emulated_options.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMostRuns = 1000;

struct CompareFlags {
  Comparison wanted;
  std::string engines;
  std::vector<std::string> faults;
  bool json = false;
};

double ms(std::chrono::nanoseconds t) { return static_cast<double>(t.count()) / 1e6; }

/// The quartiles of a figure over the runs that have it (`runs` of them).
struct Quartiles {
  double low = 0, middle = 0, high = 0;
  std::size_t runs = 0;
};

Quartiles quartiles(std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  if (values.empty()) return {};
  return {at(0.25), at(0.5), at(0.75), values.size()};
}

/// The median and the quartiles as text: "12 (10–15)", or "12" of one run; "–" of none.
std::string show(const Quartiles& q, int digits) {
  if (q.runs == 0) return "–";
  if (q.runs == 1) return fmt::format("{:.{}f}", q.middle, digits);
  return fmt::format("{:.{}f} ({:.{}f}–{:.{}f})", q.middle, digits, q.low, digits, q.high, digits);
}

using Number = std::optional<double> (*)(const TrialResult&);

/// Causes of loss without a column of their own: with a real subnet manager they are rare.
constexpr Loss kOtherLosses[] = {Loss::kWrongHost, Loss::kVl15Full, Loss::kRecovery};

struct Column {
  const char* title;
  int digits;
  Number of;
};

double lost_of(const TrialResult& r, Loss why) {
  return static_cast<double>(r.lost[static_cast<unsigned>(why)]);
}

std::optional<double> milliseconds(const std::optional<std::chrono::nanoseconds>& t) {
  return t ? std::optional(ms(*t)) : std::nullopt;
}

const Column kColumns[] = {
    {"lost", 0, [](const TrialResult& r) { return std::optional(double(r.all_lost())); }},
    {"cut", 0, [](const TrialResult& r) { return std::optional(lost_of(r, Loss::kCut)); }},
    {"dead port", 0,
     [](const TrialResult& r) { return std::optional(lost_of(r, Loss::kDeadPort)); }},
    {"no route", 0, [](const TrialResult& r) { return std::optional(lost_of(r, Loss::kNoRoute)); }},
    {"VL 15", 0, [](const TrialResult& r) { return std::optional(lost_of(r, Loss::kVl15)); }},
    {"lifetime", 0,
     [](const TrialResult& r) {
       return std::optional(lost_of(r, Loss::kHeadOfQueue) + lost_of(r, Loss::kSwitchLife));
     }},
    {"other", 0,
     [](const TrialResult& r) {
       double sum = 0;
       for (const Loss why : kOtherLosses) sum += lost_of(r, why);
       return std::optional(sum);
     }},
    {"cut off", 0, [](const TrialResult& r) { return std::optional(double(r.cut_off)); }},
    {"routed after ms", 2, [](const TrialResult& r) { return milliseconds(r.routed); }},
    {"last loss ms", 2, [](const TrialResult& r) { return milliseconds(r.last_loss); }},
    {"slowest packet ms", 3, [](const TrialResult& r) { return std::optional(ms(r.slowest)); }},
    {"SLs changed", 0,
     [](const TrialResult& r) {
       return r.asked_again ? std::optional(double(r.changed_sls)) : std::nullopt;
     }},
};

std::size_t width_of(const std::string& text) {  // characters, not bytes
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The number of runs in which a deadlock was seen, as "2 of 10"; "–" if no run counts.
std::string show_deadlocks(const std::vector<const TrialResult*>& results) {
  if (results.empty()) return "–";
  return fmt::format("{} of {}", std::ranges::count_if(results, &TrialResult::deadlock),
                     results.size());
}

std::vector<std::string> row_of(const std::string& engine,
                                const std::vector<const TrialResult*>& results) {
  std::vector<std::string> row{engine};
  for (const Column& column : kColumns) {
    std::vector<double> values;
    for (const TrialResult* result : results)
      if (const auto value = column.of(*result)) values.push_back(*value);
    row.push_back(show(quartiles(std::move(values)), column.digits));
  }
  row.push_back(show_deadlocks(results));
  return row;
}

/// What a reader of the figures must know of a run, a line each.
std::vector<std::string> remarks_on(const ComparedRun& run, bool drained) {
  const TrialResult& r = run.result;
  if (!run.counts()) return {fmt::format("does not count: {}", run.failure)};
  std::vector<std::string> remarks;
  if (!run.refused_later.empty())
    remarks.push_back(fmt::format("it did not route after the fault: {}", run.refused_later));
  if (!r.ended) remarks.emplace_back("the manager was not done when the time was up");
  if (r.unrouted_pairs > 0)
    remarks.push_back(
        fmt::format("{} pairs of hosts are connected and not routed", r.unrouted_pairs));
  if (r.without_path > 0)
    remarks.push_back(fmt::format("the SA gave no path for {} pairs of hosts", r.without_path));
  if (drained && r.all_lost() > 0)
    remarks.push_back(fmt::format("{} packets were lost despite the drain", r.all_lost()));
  return remarks;
}

void print_table(const Comparison& wanted, const std::vector<ComparedRun>& runs, Output& output) {
  std::vector<std::vector<std::string>> rows{{"engine"}};
  for (const Column& column : kColumns) rows[0].emplace_back(column.title);
  rows[0].emplace_back("deadlock");
  for (const std::string& engine : wanted.engines) {
    std::vector<const TrialResult*> results;
    for (const ComparedRun& run : runs)
      if (run.engine == engine && run.counts()) results.push_back(&run.result);
    rows.push_back(row_of(engine, results));
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, width_of(other[i]));
      const std::string space(width - width_of(row[i]), ' ');
      line += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    output.print("{}\n", line);
  }
  for (const ComparedRun& run : runs)
    for (const std::string& remark : remarks_on(run, wanted.drain))
      output.print("{}, run {}: {}\n", run.engine, run.run + 1, printable(remark));
}

/// The highest exit status that a run asks for. It is at least kDoesNotHold if runs are missing, or
/// if packets were lost despite a drain.
ExitStatus status_of(const std::vector<ComparedRun>& runs, bool complete, bool drained) {
  ExitStatus status = complete ? kDone : kDoesNotHold;
  for (const ComparedRun& run : runs) {
    status = std::max(status, run.status);
    if (drained && run.counts() && run.result.all_lost() > 0)
      status = std::max(status, kDoesNotHold);
  }
  return status;
}

Json json_of(const ComparedRun& run) {
  const TrialResult& r = run.result;
  Json lost = Json::object();
  for (unsigned i = 0; i < kLosses; ++i) lost[kLossNames[i]] = r.lost[i];
  Json curve = Json::array();
  for (const TrialPoint& p : r.curve) curve.push_back({ms(p.at), p.delivered, p.lost});
  const auto text = [](const std::string& t) { return t.empty() ? Json(nullptr) : Json(t); };
  const auto time = [](const auto& t) { return t ? Json(ms(*t)) : Json(nullptr); };
  return {{"engine", run.engine},
          {"run", run.run + 1},
          {"lmc", run.lmc},
          {"ended", r.ended},
          {"failure", text(run.failure)},
          {"refused_after_fault", text(run.refused_later)},
          {"lost", r.all_lost()},
          {"lost_by_cause", std::move(lost)},
          {"cut_off", r.cut_off},
          {"delivered", r.delivered},
          {"fabric_ms", ms(r.fabric_time)},
          {"routed_after_ms", time(r.routed)},
          {"last_loss_ms", time(r.last_loss)},
          {"unrouted_pairs", r.unrouted_pairs},
          {"pairs", r.pairs},
          {"pairs_without_path", r.without_path},
          {"slowest_packet_before_ms", ms(r.slowest_before)},
          {"slowest_packet_ms", ms(r.slowest)},
          {"paths_changed", r.changed_paths},
          {"sls_changed", r.changed_sls},
          {"deadlock", r.deadlock},
          {"packet_hops", r.packet_hops},
          {"drain_answer", text(run.drain_answer)},
          {"curve", std::move(curve)}};
}

int compare(CompareFlags& flags, Output& output) {
  Comparison& wanted = flags.wanted;
  std::istringstream names(flags.engines);
  for (std::string name; std::getline(names, name, ',');) {
    const std::size_t first = name.find_first_not_of(' ');
    name = first == std::string::npos ? ""
                                      : name.substr(first, name.find_last_not_of(' ') - first + 1);
    if (name.empty() || std::ranges::count(wanted.engines, name) > 0)
      throw InputError(name.empty() ? "a name is empty" : "an engine is named twice",
                       fmt::format("--engine '{}'", flags.engines),
                       "write names of engines, as minhop,selvedge-updn");
    wanted.engines.push_back(name);
  }
  if (wanted.engines.empty()) selvedge::require("", "--engine", "NAME,NAME…");
  block_ending_signals();  // before the thread of the progress line
  wanted.faults = flags.faults;
  Progress progress;
  const std::uint64_t total = wanted.runs * wanted.engines.size();
  const std::vector<ComparedRun> runs =
      compare_sm(wanted, [&](const ComparedRun& run, const std::string& phase) {
        progress.phase(
            fmt::format("{}, run {} of {}: {}", run.engine, run.run + 1, wanted.runs, phase));
      });
  const bool complete = runs.size() == total;
  if (flags.json) {
    Json all = Json::array();
    for (const ComparedRun& run : runs) all.push_back(json_of(run));
    print_json({{"fabric", wanted.fabric},
                {"faults", wanted.faults},
                {"drained", wanted.drain},
                {"seed", wanted.seed},
                {"preset", wanted.traffic.preset},
                {"pattern", wanted.traffic.traffic.pattern},
                {"load", wanted.traffic.load.empty() ? "0.1" : wanted.traffic.load},
                {"manager_speed", wanted.traffic.speed()},
                {"opensm_lines", wanted.opensm_lines},
                {"plugin_toml", wanted.plugin_settings},
                {"complete", complete},
                {"runs", std::move(all)}},
               output);
  } else {
    print_table(wanted, runs, output);
    if (!complete)
      output.print(
          "{}: {} of {} runs are done\n",
          runs.empty() || runs.back().status != kLacksEnvironment ? "interrupted" : "stopped",
          runs.size(), total);
  }
  return status_of(runs, complete, wanted.drain);
}

}  // namespace

Verb add_compare_sm_verb(CLI::App& program) {
  auto flags = std::make_shared<CompareFlags>();
  Comparison& wanted = flags->wanted;
  CLI::App* app =
      add_verb(program, "compare-sm",
               "What a fault costs under engines of the real opensm: packets lost and why, "
               "time to repair");
  add_text(*app, "--fabric", wanted.fabric, "FABRIC", "The fabric, as torus:8x8 or file:PATH");
  app->add_option("--fault", flags->faults,
                  "A link as S-3-3:2 or S-3-3/S-4-3, or a switch;\nrepeat "
                  "it for several at once")
      ->type_name("NAME");
  add_text(*app, "--engine", flags->engines, "NAME,NAME…",
           "Values of routing_engine; selvedge-… load the plugin");
  app->add_flag("--drain", wanted.drain, "The plugin drains the link before it is cut")
      ->disable_flag_override();
  add_number(*app, "--runs", 1, kMostRuns, "N",
             "Of each engine; medians and quartiles (default: 1)",
             [flags](unsigned n) { flags->wanted.runs = n; });
  add_traffic_options(*app, wanted.traffic);
  add_number(*app, "--warm-up-us", 1, 1'000'000, "N",
             "Traffic before the fault, in the fabric's time\n(default: 1000)",
             [flags](unsigned n) { flags->wanted.warm_up_ms = n / 1000.0; });
  add_number(*app, "--timeout-s", 1, 86'400, "N",
             "The longest that a run may take on this machine\n(default: 600)",
             [flags](unsigned n) { flags->wanted.patience_s = n; });
  app->add_option("--opensm-line", wanted.opensm_lines,
                  "A further line of opensm.conf, as 'max_wire_smps 16';\nrepeat it for several")
      ->type_name("LINE");
  add_text(*app, "--plugin-toml", wanted.plugin_settings, "TEXT",
           "Further lines of plugin.toml, which begins in [repair]");
  add_number(*app, "--seed", 0, UINT32_MAX, "N", "Of the traffic; run i has N + i (default: 1)",
             [flags](unsigned n) { flags->wanted.seed = n; });
  add_json(*app, flags->json);
  app->footer(
      "Each run emulates the fabric by the manager's clock (docs/emulator.md), starts opensm, "
      "asks\n"
      "its SA for the path of every pair of hosts, and lets them send. Then the fault happens, "
      "and\n"
      "the run goes on until opensm has nothing left to do. Lost packets are counted from the "
      "fault\n"
      "on (with --drain, from the drain on). 'routed after' is when the switches' tables led "
      "every\n"
      "pair to its destination again. Exit status 1: a run does not count, or a drain lost "
      "packets.");
  return {app, [flags](Output& output) {
            selvedge::require(flags->wanted.fabric, "--fabric", "FABRIC");
            selvedge::require(flags->engines, "--engine", "NAME,NAME…");
            if (flags->faults.empty()) selvedge::require("", "--fault", "NAME");
            return compare(*flags, output);
          }};
}

}  // namespace selvedge::sim
