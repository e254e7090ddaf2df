// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route compare`: engines and tables files side by side, with a row for each: the balance
// of base LIDs and of all LIDs, effective bandwidth, VLs, SLs, proofs, times. If an engine refuses
// the fabric, its row says so. A property that does not hold is part of the result, not a failure.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <ranges>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/stopwatch.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kUsualPermutations = 200;

struct CompareFlags {
  FabricOptions fabric;
  std::vector<std::string> engines;
  std::vector<std::string> tables;
  std::optional<unsigned> lmc;
  HintOptions hints;  // the user's hints about levels
  std::optional<ReplyGrade> replies;
  PermutationOptions permutations;
  bool json = false;
};

/// What was measured on the tables of one engine or one file.
struct CompareFigures {
  unsigned lmc = 0;
  std::uint64_t base_channel_load_max = 0;
  double channel_load_max = 0;
  double ebb = 0;
  Verdict verdict;
  std::optional<double> compute_ms;  // set for engines only
  double prove_ms = 0;
};

struct CompareRow {
  std::string engine, tables;  // one of the two is set
  std::string refusal;         // why the engine refused the fabric; empty: it did not
  std::optional<CompareFigures> figures;
  std::vector<std::string> remarks;
};

CompareFigures figures_of(const Subject& subject, const CompareFlags& options, bool as_before,
                          Progress& progress) {
  CompareFigures figures;
  Stopwatch watch;
  VerifyOptions asked;
  asked.any_lid = as_before;
  asked.replies = options.replies.has_value();
  asked.grade = options.replies.value_or(asked.grade);
  figures.verdict = prove(subject, asked, progress);
  figures.prove_ms = watch.lap_ms();
  progress.phase("measuring the paths", subject.fabric.num_hosts(), "hosts");
  const Metrics metrics =
      measure(subject.fabric, subject.tables,
              [&](std::uint64_t done, std::uint64_t) { progress.advance(done); });
  figures.lmc = metrics.lmc;
  figures.channel_load_max = metrics.channel_load_max;
  figures.base_channel_load_max = base_channel_load_max(subject.fabric, subject.tables);
  const unsigned permutations = options.permutations.count.value_or(kUsualPermutations);
  progress.phase("drawing permutations", permutations, "permutations");
  figures.ebb = effective_bandwidth(
      subject.fabric, subject.tables, permutations, options.permutations.seed_used(),
      [&](std::uint64_t done, std::uint64_t) { progress.advance(done); });
  return figures;
}

CompareRow row_of_engine(const std::string& name, const CompareFlags& options, Progress& progress) {
  CompareRow row;
  row.engine = name;
  EngineOptions engine;
  engine.engine = name;
  engine.lmc = options.lmc;
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
  return row;
}

CompareRow row_of_file(const std::string& path, const CompareFlags& options, Progress& progress) {
  CompareRow row;
  row.tables = path;
  const Subject subject = read_subject(options.fabric, path, progress);
  // The tables in a file were made for the fabric before the faults.
  row.figures = figures_of(subject, options, !options.fabric.fail.empty(), progress);
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
  json.update(Json{{"lmc", f.lmc},
                   {"base_channel_load_max", f.base_channel_load_max},
                   {"channel_load_max", f.channel_load_max},
                   {"ebb", f.ebb},
                   {"vls_used", f.verdict.vls_used},
                   {"sls_used", f.verdict.sls_used},
                   {"connected", f.verdict.connected},
                   {"loop_free", f.verdict.loop_free},
                   {"deadlock_free", f.verdict.deadlock_free},
                   {"compute_ms", f.compute_ms ? Json(*f.compute_ms) : Json(nullptr)},
                   {"prove_ms", f.prove_ms},
                   {"remarks", row.remarks}});
  if (f.verdict.deadlock_free_base) json["replies"] = grade_json(f.verdict);
  return json;
}

Json to_json(const CompareFlags& options, const std::vector<CompareRow>& rows) {
  Json list = Json::array();
  for (const CompareRow& row : rows) list.push_back(to_json(row));
  return Json{{"permutations", options.permutations.count.value_or(kUsualPermutations)},
              {"seed", options.permutations.seed_used()},
              {"rows", std::move(list)}};
}

void print_rows(const CompareFlags& options, const std::vector<CompareRow>& rows, Output& output) {
  constexpr std::size_t kColumns = 12;
  const std::size_t columns = options.replies ? kColumns : kColumns - 1;  // the last: responses
  using Line = std::array<std::string, kColumns>;
  const auto answer = [](bool holds) { return std::string(holds ? "yes" : "NO"); };
  const Line head{"tables", "LMC",       "base max",  "all-LID max",   "EBB",         "VLs",
                  "SLs",    "connected", "loop free", "deadlock free", "computed in", "responses"};
  std::vector<Line> lines{head};
  for (const CompareRow& row : rows) {
    Line line;
    line[0] = printable(row.engine.empty() ? row.tables : row.engine);
    if (row.figures) {
      const CompareFigures& f = *row.figures;
      const std::optional<ReplyGrade> grade = f.verdict.grade();
      line = {line[0],
              fmt::format("{}", f.lmc),
              fmt::format("{}", f.base_channel_load_max),
              fmt::format("{:.2f}", f.channel_load_max),
              fmt::format("{:.4f}", f.ebb),
              fmt::format("{}", f.verdict.vls_used),
              fmt::format("{}", f.verdict.sls_used),
              answer(f.verdict.connected),
              answer(f.verdict.loop_free),
              answer(f.verdict.deadlock_free),
              f.compute_ms ? fmt::format("{:.3f} ms", *f.compute_ms) : "-",
              grade ? std::string(name(*grade)) : "none"};
    }
    lines.push_back(std::move(line));
  }
  std::array<std::size_t, kColumns> width{};
  for (const Line& line : lines)
    for (std::size_t i = 0; i < kColumns; ++i) width[i] = std::max(width[i], line[i].size());
  for (std::size_t r = 0; r < lines.size(); ++r) {
    std::string text = fmt::format("{:<{}}", lines[r][0], width[0]);
    if (r > 0 && !rows[r - 1].figures)
      text += "  refused: " + printable(rows[r - 1].refusal);
    else
      for (std::size_t i = 1; i < columns; ++i)
        text += fmt::format("  {:>{}}", lines[r][i], width[i]);
    output.print("{}\n", text);
  }
}

}  // namespace

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
  add_hint_options(*app, options->hints);
  add_replies_option(*app, options->replies,
                     "Make the engines' tables with responses on the\nrequest's SL as safe as "
                     "this, and show how far they are");
  add_permutation_options(*app, options->permutations,
                          fmt::format("\n(default {})", kUsualPermutations));
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            check(*options);
            const std::vector<CompareRow> rows = compare_all(*options);
            tell_seed(options->fabric.spec);
            note(fmt::format("seed {} of the permutations", options->permutations.seed_used()));
            if (options->json)
              print_json(to_json(*options, rows), output);
            else
              print_rows(*options, rows, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
