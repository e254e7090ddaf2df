// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route verify`: proves the tables of an engine or of a file, and prints a witness (a
// counterexample) for each property that does not hold.
#include "plugin/verify/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/dark_lids.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kMostDisjoint = 1u << kMaxLmc;  // a pair has no more LIDs

struct VerifyFlags {
  FabricOptions fabric;
  EngineOptions engine;
  std::string tables;
  VerifyOptions asked;
  bool json = false;
};

struct VerifyResult {
  Subject subject;
  Verdict verdict;
  std::vector<DarkLid> dark;
  bool holds = false;
};

void check(const VerifyFlags& options) {
  const EngineOptions& engine = options.engine;
  if (options.tables.empty() && engine.engine.empty())
    throw InputError("there are no tables to prove", "--engine, --tables",
                     "add --engine ENGINE or --tables FILE");
  if (!options.tables.empty() && !engine.engine.empty())
    throw InputError("both an engine and a file of tables are given", "--engine, --tables",
                     "give one of them");
  if (options.tables.empty()) require(options.fabric.spec, "--fabric", "FABRIC");
  if (!options.tables.empty()) refuse_engine_options(engine, false);
}

VerifyResult evaluate(const VerifyFlags& options) {
  Progress progress;
  VerifyResult result;
  VerifyOptions asked = options.asked;
  if (options.tables.empty()) {
    result.subject = compute(options.fabric, options.engine, progress);
  } else {
    result.subject = read_subject(options.fabric, options.tables, progress);
    // The tables remain as they were before the faults, so one LID that works is enough for a pair.
    asked.any_lid = !options.fabric.fail.empty();
  }
  result.verdict = prove(result.subject, asked, progress);
  check_bounds(options.engine, result.verdict);
  result.dark = dark_lids(result.subject.fabric, result.subject.tables);
  result.holds = result.verdict.holds(asked);
  return result;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const VerifyFlags& options, const VerifyResult& result) {
  const Verdict& v = result.verdict;
  const Fabric& fabric = result.subject.fabric;
  Json witnesses = Json::array();
  for (const Witness& witness : v.witnesses) witnesses.push_back(witness_json(fabric, witness));
  Json json{{"connected", v.connected},
            {"loop_free", v.loop_free},
            {"deadlock_free", v.deadlock_free},
            {"deadlock_free_replies", or_null(v.deadlock_free_replies)},
            {"deadlock_free_any_sl", or_null(v.deadlock_free_any_sl)},
            {"disjoint_min", or_null(v.disjoint_min)},
            {"witness", result.holds || witnesses.empty() ? Json(nullptr) : witnesses.front()},
            {"witnesses", witnesses},
            {"holds", result.holds},
            {"pairs", v.pairs},
            {"failed_pairs", v.failed_pairs},
            {"disconnected", v.disconnected},
            {"unreachable_switch_lids", v.unreachable_switch_lids},
            {"deadlock_free_base", or_null(v.deadlock_free_base)},
            {"replies", grade_json(v)},
            {"dropped_replies", v.dropped_replies},
            {"dropped_base", v.dropped_base},
            {"multicast_faults", v.multicast_faults},
            {"dependencies", v.dependencies},
            {"vls_used", v.vls_used},
            {"sls_used", v.sls_used}};
  json["dark_lids"] = dark_json(fabric, result.dark);
  json["remarks"] = result.subject.remarks;
  json["engine"] = options.engine.engine.empty() ? Json(nullptr) : Json(options.engine.engine);
  json["tables"] = options.tables.empty() ? Json(nullptr) : Json(options.tables);
  return json;
}

void print_sheet(const VerifyFlags& options, const VerifyResult& result, Output& output) {
  const Verdict& v = result.verdict;
  const auto answer = [](bool holds) { return holds ? "yes" : "NO"; };
  Sheet sheet;
  sheet.row("tables",
            options.tables.empty() ? "of engine " + options.engine.engine : options.tables);
  std::string connected =
      fmt::format("{}, {} ordered pairs of hosts", answer(v.connected), v.pairs);
  if (v.failed_pairs > 0) connected += fmt::format(", {} of them fail", v.failed_pairs);
  if (v.disconnected > 0)
    connected +=
        fmt::format("\n{} pairs left out: detached or physically disconnected", v.disconnected);
  if (v.unreachable_switch_lids > 0)
    connected += fmt::format("\n{} times a host does not reach a switch's LID (for management)",
                             v.unreachable_switch_lids);
  sheet.row("connected", connected);
  if (!result.dark.empty())
    sheet.row("dark LIDs", describe_dark(result.subject.fabric, result.dark));
  sheet.row("loop free", answer(v.loop_free));
  sheet.row("deadlock free",
            fmt::format("{}, {} dependencies, VLs used: {}, SLs used: {}", answer(v.deadlock_free),
                        v.dependencies, v.vls_used, v.sls_used));
  const std::optional<ReplyGrade> grade = v.grade();
  std::string replies = grade ? std::string(name(*grade)) : "none";
  if (!grade || *grade < options.asked.grade)
    replies += fmt::format(", {} required: NO", name(options.asked.grade));
  if (v.dropped_replies != 0)
    replies +=
        fmt::format("\n{} responses meet a missing SL2VL entry, {} of them between base LIDs",
                    v.dropped_replies, v.dropped_base);
  sheet.row("  responses", replies);
  if (v.deadlock_free_any_sl) sheet.row("  with any SL", answer(*v.deadlock_free_any_sl));
  if (v.disjoint_min)
    sheet.row("disjoint paths", fmt::format("{} or more for every pair, {} required",
                                            *v.disjoint_min, options.asked.disjoint));
  if (v.multicast_faults > 0)
    sheet.row("multicast",
              fmt::format("{} group ports have no peer in their group", v.multicast_faults));
  if (!result.subject.remarks.empty())
    sheet.row("remarks", fmt::format("{}", fmt::join(result.subject.remarks, "\n")));
  for (const Witness& witness : v.witnesses)
    sheet.row("witness", fmt::format("{}: {}", witness.property, witness.text));
  sheet.print(output);
}

}  // namespace

Verb add_verify_verb(CLI::App& program) {
  auto options = std::make_shared<VerifyFlags>();
  CLI::App* app = add_verb(program, "verify",
                           "Prove tables: connected, loop free, deadlock free; or print a witness");
  add_fabric_options(*app, options->fabric);
  add_engine_options(*app, options->engine);
  add_text(*app, "--tables", options->tables, "FILE",
           "Prove the tables of this file (selvedge-tables-1, or what\ndump_fts prints) instead of "
           "an engine's; with --fail they\nstay as they are, and a pair is connected while one of\n"
           "its LIDs works. The fabric is the file's if --fabric is\nleft out");
  add_number(
      *app, "--disjoint", 1, kMostDisjoint, "K",
      fmt::format("Prove too that each pair has K switch-disjoint paths,\n1 to {}", kMostDisjoint),
      [options](unsigned k) { options->asked.disjoint = k; });
  add_replies_option(*app, options->engine.replies,
                     "How far the responses on the request's SL must be\nsafe: own-sl, not at "
                     "all (the default); base, between base\nLIDs; same-sl, between any LIDs of "
                     "two hosts");
  app->add_flag("--any-sl", options->asked.any_sl, "Prove it too with every SL from everywhere")
      ->disable_flag_override();
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            check(*options);
            // All grades are proved; only a failure of the one asked for changes the exit status.
            options->asked.replies = true;
            options->asked.grade = options->engine.replies.value_or(ReplyGrade::kOwnSl);
            const VerifyResult result = evaluate(*options);
            if (options->json)
              print_json(to_json(*options, result), output);
            else
              print_sheet(*options, result, output);
            return result.holds ? kDone : kDoesNotHold;
          }};
}

}  // namespace selvedge::route
