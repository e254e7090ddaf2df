// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route compare`: engines and tables files side by side, with a row for each: the balance
// of base LIDs and of all LIDs, effective bandwidth, VLs, SLs, proofs, times. If an engine refuses
// the fabric, its row says so. A property that does not hold is part of the result, not a failure.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/progress.hpp"
#include "base/stopwatch.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/compare.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/tables/vl_loads.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kUsualPermutations = 200;
// More paths (source switch, LID) than this take too much memory to try faults on them.
constexpr std::uint64_t kMostFaultPaths = 5'000'000;

struct CompareFlags {
  FabricOptions fabric;
  std::vector<std::string> engines;
  std::vector<std::string> tables;
  std::optional<unsigned> lmc, max_vls, max_sls;
  bool fill_vls = false;
  HintOptions hints;  // the user's hints about levels
  std::optional<ReplyGrade> replies;
  PermutationOptions permutations;
  std::string html;
  bool json = false;
};

/// Tries each single fault. The cost of tables that may deadlock would be a proof for each.
void count_faults(const Subject& subject, CompareFigures& figures, Progress& progress) {
  const Fabric& fabric = subject.fabric;
  std::uint64_t sources = 0, lids = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    sources += fabric.hosts_at(s).empty() ? 0 : 1;
  for (const Host& host : fabric.hosts()) lids += host.lid_count();
  if (!figures.verdict.deadlock_free || sources * lids > kMostFaultPaths) return;
  for (const FaultKind of : {FaultKind::kLinks, FaultKind::kSwitches}) {
    if (faultable(fabric, of) == 0) continue;
    SurvivalRequest request;
    request.of = of;
    request.jobs = one_job_a_core();
    if (!subject.further.empty()) request.further = &subject.further;
    request.progress = [&](std::uint64_t done, std::uint64_t total) {
      if (done == 0)
        progress.phase(fmt::format("trying single {}", plural(of)), total, "faults");
      else
        progress.advance(done);
    };
    (of == FaultKind::kLinks ? figures.link_faults : figures.switch_faults) =
        survive(fabric, subject.tables, true, request);
  }
}

Json faults_json(const std::optional<Survival>& survival) {
  if (!survival) return nullptr;
  return Json{{"evaluated", survival->evaluated},
              {"tolerated", survival->tolerated},
              {"singular", survival->singular},
              {"disconnected", survival->disconnected}};
}

/// "98 %": the share that is tolerated, never rounded up to all.
std::string tolerated_share(const std::optional<Survival>& survival) {
  if (!survival) return "-";
  if (survival->tolerated == survival->evaluated) return "all";
  return fmt::format("{:.1f} %", std::min(99.9, 100.0 * static_cast<double>(survival->tolerated) /
                                                    static_cast<double>(survival->evaluated)));
}

CompareFigures figures_of(const Subject& subject, const CompareFlags& options, bool as_before,
                          Progress& progress) {
  CompareFigures figures;
  Stopwatch watch;
  VerifyOptions asked;
  asked.any_lid = as_before;
  asked.replies = true;
  figures.verdict = prove(subject, asked, progress);
  figures.prove_ms = watch.lap_ms();
  const auto advance = [&](std::uint64_t done, std::uint64_t) { progress.advance(done); };
  progress.phase("measuring the paths", subject.fabric.num_hosts(), "hosts");
  figures.metrics = measure(subject.fabric, subject.tables, advance);
  figures.base_loads = base_channel_loads(subject.fabric, subject.tables);
  std::uint64_t sum = 0, channels = 0;
  for (Channel c = 0; c < figures.base_loads.size(); ++c) {
    if (!subject.fabric.between_switches(c)) continue;
    figures.base_channel_load_max = std::max(figures.base_channel_load_max, figures.base_loads[c]);
    sum += figures.base_loads[c];
    ++channels;
  }
  if (channels > 0)
    figures.base_channel_load_mean = static_cast<double>(sum) / static_cast<double>(channels);
  figures.base_vl_load_max = base_vl_load_max(subject.fabric, subject.tables);
  const unsigned permutations = options.permutations.count.value_or(kUsualPermutations);
  const std::uint64_t seed = options.permutations.seed_used();
  progress.phase("drawing permutations", permutations, "permutations");
  figures.ebb = effective_bandwidth(subject.fabric, subject.tables, permutations, seed, advance);
  figures.spread_ebb = figures.ebb;
  if (figures.metrics.lmc > 0) {
    progress.phase("drawing permutations for all LIDs", permutations, "permutations");
    figures.spread_ebb =
        spread_bandwidth(subject.fabric, subject.tables, permutations, seed, advance);
  }
  count_faults(subject, figures, progress);
  return figures;
}

CompareRow row_of_engine(const std::string& name, const CompareFlags& options, Progress& progress) {
  CompareRow row;
  row.engine = name;
  EngineOptions engine;
  engine.engine = name;
  engine.lmc = options.lmc;
  engine.max_vls = options.max_vls;
  engine.max_sls = options.max_sls;
  engine.fill_vls = options.fill_vls;
  engine.hints = options.hints;
  engine.replies = options.replies;
  Subject subject;
  try {
    // The fabric was made without an error before. So an error here is due to the engine or its
    // LMC.
    Fabric fabric = make_left(options.fabric, engine, progress);
    subject = compute_on(std::move(fabric), engine, progress);
  } catch (const InputError& refusal) {
    row.refusal = refusal.what();
    return row;
  }
  row.remarks = subject.remarks;
  row.figures = figures_of(subject, options, false, progress);
  row.figures->compute_ms = subject.compute_ms;
  row.fabric = std::move(subject.fabric);
  return row;
}

CompareRow row_of_file(const std::string& path, const CompareFlags& options, Progress& progress) {
  CompareRow row;
  row.tables = path;
  Subject subject = read_subject(options.fabric, path, progress);
  // The tables in a file were made for the fabric before the faults.
  row.remarks = subject.remarks;
  row.figures = figures_of(subject, options, !options.fabric.fail.empty(), progress);
  row.fabric = std::move(subject.fabric);
  return row;
}

void check(const CompareFlags& options) {
  require(options.fabric.spec, "--fabric", "FABRIC");
  if (options.engines.empty() && options.tables.empty())
    throw InputError("there is nothing to compare", "--engines, --tables",
                     "add --engines A,B,… or --tables FILE");
  for (const std::string& engine : options.engines) find_engine(engine);
  if (options.lmc && options.engines.empty())
    throw InputError("tables that are given have their LMC", "--lmc",
                     "leave it out, or add --engines A,B,…");
  if ((options.max_vls || options.max_sls || options.fill_vls) && options.engines.empty())
    throw InputError("tables that are given have their VLs", "--max-vls, --max-sls, --fill-vls",
                     "leave them out, or add --engines A,B,…");
  if (options.hints.given() && options.engines.empty())
    throw InputError("tables that are given have no levels to choose",
                     "--roots, --compute-nodes, --io-nodes",
                     "leave them out, or add --engines A,B,…");
}

std::vector<CompareRow> compare_all(const CompareFlags& options) {
  Progress progress;
  progress.phase("making the fabric");
  const Fabric whole = make_fabric(options.fabric.spec, options.lmc);
  parse_fault(whole, options.fabric.fail);  // throws for a wrong name
  read_hints(whole, options.hints);         // throws too: a wrong file is not an engine's refusal
  std::vector<CompareRow> rows;
  rows.reserve(options.engines.size() + options.tables.size());
  for (const std::string& engine : options.engines)
    rows.push_back(row_of_engine(engine, options, progress));
  for (const std::string& path : options.tables)
    rows.push_back(row_of_file(path, options, progress));
  return rows;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json to_json(const CompareRow& row) {
  Json json{{"engine", text_or_null(row.engine)},
            {"tables", text_or_null(row.tables)},
            {"refused", text_or_null(row.refusal)}};
  if (!row.figures) return json;
  const CompareFigures& f = *row.figures;
  const Metrics& m = f.metrics;
  Json disjoint = Json::object();
  for (const auto& [paths, share] : m.disjoint) disjoint[std::to_string(paths)] = share;
  json.update(Json{{"lmc", m.lmc},
                   {"base_channel_load_max", f.base_channel_load_max},
                   {"base_vl_load_max", f.base_vl_load_max},
                   {"base_channel_load_mean", f.base_channel_load_mean},
                   {"channel_load_max", m.channel_load_max},
                   {"channel_load_mean", m.channel_load_mean},
                   {"ebb", f.ebb},
                   {"spread_ebb", f.spread_ebb},
                   {"path_length_mean", m.path_length_mean},
                   {"path_length_max", m.path_length_max},
                   {"shortest_length_mean", m.shortest_length_mean},
                   {"disjoint", std::move(disjoint)},
                   {"unreachable_pairs", m.unreachable_pairs},
                   {"vls_used", f.verdict.vls_used},
                   {"sls_used", f.verdict.sls_used},
                   {"connected", f.verdict.connected},
                   {"loop_free", f.verdict.loop_free},
                   {"deadlock_free", f.verdict.deadlock_free},
                   {"replies", grade_json(f.verdict)},
                   {"tolerated_faults", Json{{"links", faults_json(f.link_faults)},
                                             {"switches", faults_json(f.switch_faults)}}},
                   {"compute_ms", f.compute_ms ? Json(*f.compute_ms) : Json(nullptr)},
                   {"prove_ms", f.prove_ms},
                   {"remarks", row.remarks}});
  return json;
}

Json to_json(const CompareFlags& options, const std::vector<CompareRow>& rows) {
  Json list = Json::array();
  for (const CompareRow& row : rows) list.push_back(to_json(row));
  return Json{{"permutations", options.permutations.count.value_or(kUsualPermutations)},
              {"seed", options.permutations.seed_used()},
              {"rows", std::move(list)}};
}

void print_rows(const std::vector<CompareRow>& rows, Output& output) {
  const std::vector<std::vector<std::string>> lines = compare_lines(rows);
  std::vector<std::size_t> width(lines[0].size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], line[i].size());
  for (std::size_t r = 0; r < lines.size(); ++r) {
    std::string text = fmt::format("{:<{}}", lines[r][0], width[0]);
    if (r > 0 && !rows[r - 1].figures) text += "  refused: " + printable(rows[r - 1].refusal);
    for (std::size_t i = 1; i < lines[r].size(); ++i)
      text += fmt::format("  {:>{}}", lines[r][i], width[i]);
    output.print("{}\n", text);
  }
}

}  // namespace

std::vector<std::vector<std::string>> compare_lines(const std::vector<CompareRow>& rows) {
  const auto answer = [](bool holds) { return std::string(holds ? "yes" : "NO"); };
  std::vector<std::vector<std::string>> lines{
      {"tables",      "LMC",       "base max",      "VL max",       "base mean",
       "all-LID max", "EBB",       "all-LID EBB",   "VLs",          "SLs",
       "length",      "longest",   "disjoint",      "cable faults", "switch faults",
       "connected",   "loop free", "deadlock free", "responses",    "computed in"}};
  for (const CompareRow& row : rows) {
    std::vector<std::string> line{printable(row.name())};
    if (row.figures) {
      const CompareFigures& f = *row.figures;
      const std::optional<ReplyGrade> grade = f.verdict.grade();
      std::string disjoint;  // "3: 75 %, 1: 25 %"
      for (const auto& [paths, share] : f.metrics.disjoint | std::views::reverse)
        disjoint += fmt::format("{}{}: {:.0f} %", disjoint.empty() ? "" : ", ", paths, share * 100);
      for (std::string cell :
           {fmt::format("{}", f.metrics.lmc), fmt::format("{}", f.base_channel_load_max),
            fmt::format("{}", f.base_vl_load_max), fmt::format("{:.1f}", f.base_channel_load_mean),
            fmt::format("{:.2f}", f.metrics.channel_load_max), fmt::format("{:.4f}", f.ebb),
            fmt::format("{:.4f}", f.spread_ebb), fmt::format("{}", f.verdict.vls_used),
            fmt::format("{}", f.verdict.sls_used),
            fmt::format("{:.3f}", f.metrics.path_length_mean),
            fmt::format("{}", f.metrics.path_length_max), disjoint.empty() ? "-" : disjoint,
            tolerated_share(f.link_faults), tolerated_share(f.switch_faults),
            answer(f.verdict.connected), answer(f.verdict.loop_free),
            answer(f.verdict.deadlock_free),
            grade ? std::string(name(*grade)) : std::string("none"),
            f.compute_ms ? fmt::format("{:.3f} ms", *f.compute_ms) : std::string("-")})
        line.push_back(std::move(cell));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Verb add_compare_verb(CLI::App& program) {
  auto options = std::make_shared<CompareFlags>();
  CLI::App* app = add_verb(program, "compare",
                           "Engines and tables files side by side: balance, bandwidth, proofs");
  add_fabric_options(*app, options->fabric);
  app->add_option_function<std::string>(
         "--engines",
         [options](const std::string& text) {
           refuse_missing_value("--engines", text);
           // An empty name, as after a final comma, is refused like any unknown name.
           options->engines.clear();
           for (const auto name : std::views::split(text, ','))
             options->engines.emplace_back(name.begin(), name.end());
         },
         "The engines, separated by commas; one that refuses the\nfabric has a row that says why")
      ->option_text("A,B,...");
  app->add_option_function<std::vector<std::string>>(
         "--tables",
         [options](const std::vector<std::string>& paths) {
           for (const std::string& path : paths) refuse_missing_value("--tables", path);
           options->tables = paths;
         },
         "Tables to compare too (selvedge-tables-1, or what dump_fts\nprints); may be given "
         "several "
         "times. dump_fts knows no SLs:\nits tables are judged as if all paths were on one VL, "
         "those\n"
         "of engines that need several (OpenSM's dfsssp, lash) too.\nWith --fail they stay as they "
         "are")
      ->option_text("FILE")
      ->allow_extra_args(false);
  add_number(*app, "--lmc", 0, kMaxLmc, "N",
             fmt::format("Give each host 2^N LIDs, N from 0 to {}, for all engines\n(default: the "
                         "file's own LIDs, else what each engine\nwants)",
                         kMaxLmc),
             [options](unsigned n) { options->lmc = n; });
  add_lane_options(*app, options->max_vls, options->max_sls, options->fill_vls);
  add_hint_options(*app, options->hints);
  add_replies_option(*app, options->replies,
                     "Make the engines' tables with responses on the\nrequest's SL as safe as "
                     "this, and show how far they are");
  add_permutation_options(*app, options->permutations,
                          fmt::format("\n(default {})", kUsualPermutations));
  add_text(*app, "--html", options->html, "FILE",
           "Write a page too: the table, how base LIDs load the channels,\nand the busiest cables");
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            check(*options);
            const std::vector<CompareRow> rows = compare_all(*options);
            if (!options->html.empty())
              write_file(options->html,
                         compare_page(options->fabric.spec, rows,
                                      options->permutations.count.value_or(kUsualPermutations),
                                      options->permutations.seed_used()));
            tell_seed(options->fabric.spec);
            note(fmt::format("seed {} of the permutations", options->permutations.seed_used()));
            if (options->json)
              print_json(to_json(*options, rows), output);
            else
              print_rows(rows, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
