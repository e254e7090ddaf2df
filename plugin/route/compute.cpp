// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route compute`: an engine's tables for a fabric, their figures, and the tables as a
// file. The tables are proved too. A property that does not hold is a warning here; only in
// `verify` is it a failure.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/program/repaired.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/faults_repaired.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kMostDeadlineMs = 3'600'000;

struct ComputeFlags {
  FabricOptions fabric;
  EngineOptions engine;
  RepairChoice repair;
  std::string tables;
  std::string lfts;
  PermutationOptions permutations;
  bool json = false;
};

struct ComputeResult {
  Subject subject;
  Metrics metrics;
  std::uint64_t base_channel_load_max = 0;
  std::optional<double> ebb;  // set if --permutations is given
  Verdict verdict;
  std::optional<double> repair_ms;  // set if --repair is given
};

/// With OpenSM's engine `file` every path is on one SL and so on one VL.
void refuse_several_vls(const ComputeFlags& options, const Verdict& verdict) {
  if (verdict.vls_used <= 1) return;
  throw InputError(
      fmt::format("the tables of {} need {} VLs with {} SLs, and a file of LFTs names none",
                  options.engine.engine, verdict.vls_used, verdict.sls_used),
      "--lfts", "add --max-vls 1, or take an engine that needs one VL (balanced, updn, dmodk)");
}

/// A file of LFTs is for switches.
void refuse_papers_lfts(const ComputeFlags& options) {
  if (options.engine.paper && !options.lfts.empty())
    throw InputError("a paper's tables are unproved, and OpenSM would write them to switches",
                     "--paper and --lfts", "leave out one of them");
}

ComputeResult compute_and_prove(const ComputeFlags& options) {
  refuse_papers_lfts(options);
  Progress progress;
  ComputeResult result;
  if (options.repair.repair.empty()) {
    result.subject = compute(options.fabric, options.engine, progress);
    result.verdict = prove(result.subject, asked_of(options.engine), progress);
  } else {
    Repaired done = compute_repaired(options.fabric, options.engine, options.repair, progress);
    result.subject = std::move(done.subject);
    result.verdict = std::move(done.verdict);
    result.repair_ms = done.repair_ms;
  }
  const Subject& subject = result.subject;
  check_bounds(options.engine, result.verdict);
  progress.phase("measuring the paths", subject.fabric.num_hosts(), "hosts");
  result.metrics = measure(subject.fabric, subject.tables,
                           [&](std::uint64_t done, std::uint64_t) { progress.advance(done); });
  result.base_channel_load_max = base_channel_load_max(subject.fabric, subject.tables);
  if (options.permutations.count) {
    progress.phase("drawing permutations", *options.permutations.count, "permutations");
    result.ebb =
        effective_bandwidth(subject.fabric, subject.tables, *options.permutations.count,
                            options.permutations.seed_used(),
                            [&](std::uint64_t done, std::uint64_t) { progress.advance(done); });
  }
  if (!options.lfts.empty()) {
    refuse_several_vls(options, result.verdict);
    progress.phase("writing the LFTs");
    write_file(options.lfts, write_lft_dump(subject.fabric, subject.tables));
  }
  if (!options.tables.empty()) {
    progress.phase("writing the tables");
    write_file(options.tables, write_tables(subject.fabric, subject.tables));
  }
  return result;
}

void tell(const ComputeFlags& options, const ComputeResult& result) {
  // The sheet has a row for remarks, but the JSON form has no key for them.
  if (options.json)
    for (const std::string& remark : result.subject.remarks) note(remark);
  if (options.permutations.count)
    note(fmt::format("seed {} of the permutations", options.permutations.seed_used()));
  const Verdict& verdict = result.verdict;
  if (verdict.disconnected > 0)
    note(fmt::format(
        "the fabric is in pieces: {} of the ordered pairs of hosts are physically disconnected",
        verdict.disconnected));
  if (verdict.holds(asked_of(options.engine))) return;
  warn(fmt::format("{}'s tables are {}", options.engine.engine, proof_summary(verdict)));
  for (const Witness& witness : verdict.witnesses)
    warn(fmt::format("{}: {}", witness.property, witness.text));
}

Json to_json(const ComputeFlags& options, const ComputeResult& result) {
  const Metrics& m = result.metrics;
  Json disjoint = Json::object();
  for (const auto& [paths, share] : m.disjoint) disjoint[std::to_string(paths)] = share;
  Json json{{"engine", options.engine.engine},
            {"switches", m.switches},
            {"hosts", m.hosts},
            {"links", m.links},
            {"lmc", m.lmc},
            {"lids", m.lids},
            {"vls_used", result.verdict.vls_used},
            {"sls_used", result.verdict.sls_used},
            {"path_length_mean", m.path_length_mean},
            {"path_length_max", m.path_length_max},
            {"shortest_length_mean", m.shortest_length_mean},
            {"disjoint", std::move(disjoint)},
            {"unreachable_pairs", m.unreachable_pairs},
            {"channel_load_max", m.channel_load_max},
            {"channel_load_mean", m.channel_load_mean},
            {"base_channel_load_max", result.base_channel_load_max}};
  if (!result.subject.chosen.empty()) {
    json["chosen"] = result.subject.chosen;
    json["reason"] = result.subject.reason;
  }
  if (result.ebb) json["ebb"] = *result.ebb;
  if (options.engine.replies) json["replies"] = grade_json(result.verdict);
  json["compute_ms"] = result.subject.compute_ms;
  if (result.repair_ms) json["repair_ms"] = *result.repair_ms;
  return json;
}

void print_sheet(const ComputeFlags& options, const ComputeResult& result, Output& output) {
  const Metrics& m = result.metrics;
  std::string disjoint;
  for (const auto& [paths, share] : m.disjoint)
    disjoint += fmt::format("{}{}: {:.1f} % of the pairs", disjoint.empty() ? "" : "\n", paths,
                            share * 100);
  Sheet sheet;
  sheet.row("engine", options.engine.engine);
  sheet.row("switches", fmt::format("{}", m.switches));
  sheet.row("hosts", fmt::format("{}", m.hosts));
  sheet.row("links", fmt::format("{} between switches", m.links));
  sheet.row("LIDs", fmt::format("{} (LMC {})", m.lids, m.lmc));
  sheet.row("VLs used", fmt::format("{}", result.verdict.vls_used));
  sheet.row("SLs used", fmt::format("{}", result.verdict.sls_used));
  sheet.row("path length",
            fmt::format("mean {:.3f}, max {} links", m.path_length_mean, m.path_length_max));
  sheet.row("shortest of a pair", fmt::format("mean {:.3f} links", m.shortest_length_mean));
  sheet.row("disjoint paths", disjoint.empty() ? "no pairs" : disjoint);
  sheet.row("unreachable pairs", fmt::format("{}", m.unreachable_pairs));
  sheet.row("channel load",
            fmt::format("mean {:.2f}, max {:.2f} paths", m.channel_load_mean, m.channel_load_max));
  sheet.row("  base LIDs only", fmt::format("max {} pairs of hosts", result.base_channel_load_max));
  if (result.ebb && options.permutations.count)
    sheet.row("bandwidth",
              fmt::format("EBB {:.4f} over {} permutations, seed {}", *result.ebb,
                          *options.permutations.count, options.permutations.seed_used()));
  sheet.row("proved", proof_summary(result.verdict));
  sheet.row("computed in", fmt::format("{:.3f} ms", result.subject.compute_ms));
  if (result.repair_ms) sheet.row("repaired in", fmt::format("{:.3f} ms", *result.repair_ms));
  if (!result.subject.remarks.empty())
    sheet.row("remarks", fmt::format("{}", fmt::join(result.subject.remarks, "\n")));
  if (!options.tables.empty()) sheet.row("written to", options.tables);
  if (!options.lfts.empty()) sheet.row("LFTs in", options.lfts);
  sheet.print(output);
}

}  // namespace

Verb add_compute_verb(CLI::App& program) {
  auto options = std::make_shared<ComputeFlags>();
  CLI::App* app = add_verb(program, "compute",
                           "Compute an engine's tables, prove them and measure their paths");
  add_fabric_options(*app, options->fabric);
  add_engine_options(*app, options->engine);
  add_number(*app, "--deadline-ms", 1, kMostDeadlineMs, "N",
             "Take updn's tables if the engine is not ready after N ms;\nwithout it the engine has "
             "all the time that it needs",
             [&engine = options->engine](unsigned n) { engine.deadline_ms = n; });
  add_text(*app, "--tables", options->tables, "FILE", "Write the tables (JSON, selvedge-tables-1)");
  add_text(
      *app, "--lfts", options->lfts, "FILE",
      "Write the LFTs as OpenSM's engine `file` reads them\n(lfts_file); only tables of one VL");
  add_replies_option(*app, options->engine.replies,
                     "Prove too how far responses on the request's SL are\nsafe, and warn if "
                     "that is less than this");
  add_repair_choice(*app, options->repair,
                    "Compute for the whole fabric, then repair for what --fail\nnames");
  add_healed(*app, options->repair);
  add_permutation_options(*app, options->permutations, "");
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            require(options->fabric.spec, "--fabric", "FABRIC");
            require(options->engine.engine, "--engine", "ENGINE");
            check(options->repair);
            if (options->repair.healed && options->fabric.fail.empty())
              throw InputError("nothing has failed that could be restored", "--healed",
                               "add --fail LINK_OR_SWITCH");
            if (options->permutations.seed && !options->permutations.count)
              throw InputError("nothing is drawn without permutations", "--seed",
                               "add --permutations N, or leave out --seed");
            const ComputeResult result = compute_and_prove(*options);
            tell(*options, result);
            if (options->json)
              print_json(to_json(*options, result), output);
            else
              print_sheet(*options, result, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
