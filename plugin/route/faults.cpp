// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route faults`: how many combinations of exactly K failed links or switches an engine's
// tables, or a file's, survive. The tables remain as they are, or are repaired after each fault.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/faults_repaired.hpp"
#include "plugin/route/options.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kMostFaults = 65535;

const char* const kFaultsHelp =
    "Each combination counts once: singular, if hosts that are still physically connected have\n"
    "lost all their paths, or what is left of the tables is not deadlock free; else disconnected,\n"
    "if the hosts on working switches are no longer in one piece; else tolerated. Hosts on failed\n"
    "switches and pairs that are apart are left out, as in verify. The tables stay as they are, "
    "or\n"
    "with --repair are repaired after each fault, and proved after the last. Of a range of "
    "numbers\n"
    "(--faults 1-8) each is counted, in one search: the shorter are on the way.\n"
    "Exit status 1 if any is singular.\n\n";

struct FaultsFlags {
  FabricOptions fabric;
  EngineOptions engine;
  std::string tables;
  unsigned fewest = 0, faults = 0;  // K, or the range of K; 0: not given
  FaultKind of = FaultKind::kLinks;
  bool all = false;
  std::optional<std::uint64_t> sample, seed;
  bool symmetry = false;
  RepairChoice repair;
  unsigned jobs = one_job_a_core();
  bool json = false;
};

struct FaultsResult {
  Subject subject;
  Verdict verdict;  // for the tables without further faults
  std::uint32_t elements = 0;
  std::optional<std::uint64_t> total;  // number of combinations; nullopt: needs more than 64 bits
  Survival survival;
  std::vector<RepairedSurvival> each;  // if --faults is a range: for each number of faults
  unsigned max_vls = 0, max_sls = 0;   // the maximum over all tables examined
  std::optional<unsigned> max_lids;    // with a repair: 1 + the highest LID offset in use
  KeptPaths paths;                     // set by a repair in place
  std::uint64_t graded = 0;            // with --replies: tolerated combinations of that grade
  std::string why;                     // with a repair: the witness in words
  double seconds = 0;
  std::vector<std::string> remarks;
};

void check_repair(const FaultsFlags& options) {
  check(options.repair);
  if (!options.repair.repair.empty() && options.symmetry)
    throw InputError("repairs depend on the order of the faults, which no symmetry keeps",
                     "--symmetry", "leave it out, or leave --repair out");
  if (options.fewest < options.faults && (options.repair.repair.empty() || !options.all))
    throw InputError(
        "a range of numbers of faults is tried only with repairs, and with all combinations",
        fmt::format("--faults {}-{}", options.fewest, options.faults),
        "give one number, or add --repair rftr and --all");
}

/// The number of combinations of failed elements, over all K; nullopt if it needs more than 64
/// bits.
std::optional<std::uint64_t> all_combinations(const FaultsFlags& options, unsigned elements) {
  std::uint64_t sum = 0;
  for (unsigned k = options.fewest; k <= options.faults; ++k) {
    const std::optional<std::uint64_t> of_k = combinations(elements, k);
    if (!of_k || *of_k > UINT64_MAX - sum) return std::nullopt;
    sum += *of_k;
  }
  return sum;
}

void check(const FaultsFlags& options) {
  if (options.tables.empty() && options.engine.engine.empty())
    throw InputError("there are no tables to try", "--engine, --tables",
                     "add --engine ENGINE or --tables FILE");
  if (!options.tables.empty() && !options.engine.engine.empty())
    throw InputError("both an engine and a file of tables are given", "--engine, --tables",
                     "give one of them");
  if (options.tables.empty()) require(options.fabric.spec, "--fabric", "FABRIC");
  if (!options.tables.empty()) refuse_engine_options(options.engine, false);
  if (options.faults == 0)
    throw InputError("an option is missing", "--faults", "add --faults K, the number that fail");
  if (options.all == options.sample.has_value())
    throw InputError(options.all ? "all combinations are asked for, and a sample too"
                                 : "the combinations to try are not given",
                     "--all, --sample", "give --all, or --sample N");
  if (options.seed && !options.sample)
    throw InputError("nothing is drawn where all combinations are tried", "--seed",
                     "leave it out, or give --sample N instead of --all");
  if (options.symmetry && options.sample)
    throw InputError("symmetry saves nothing where combinations are drawn", "--symmetry",
                     "leave it out, or give --all instead of --sample");
  check_repair(options);
}

/// The value of --faults as text: "3" or "1-8".
std::string number_of_faults(const FaultsFlags& options) {
  return options.fewest == options.faults ? fmt::format("{}", options.faults)
                                          : fmt::format("{}-{}", options.fewest, options.faults);
}

void check_count(const FaultsFlags& options, FaultsResult& result) {
  const unsigned faults = options.faults;
  result.elements = faultable(result.subject.fabric, options.of);
  if (faults > result.elements)
    throw InputError(
        fmt::format("{} {} cannot fail, there are {}", faults, plural(options.of), result.elements),
        "--faults " + number_of_faults(options),
        options.of == FaultKind::kLinks && result.elements == 0
            ? "give a fabric with links between switches, or --of switches"
            : fmt::format("give {} or less", result.elements));
  result.total = all_combinations(options, result.elements);
  if (!options.sample && !result.total)
    throw InputError(
        fmt::format("there are more than 2^64 combinations of {} of {} {}",
                    number_of_faults(options), result.elements, plural(options.of)),
        "--all",
        options.fewest < options.faults ? "try fewer at once" : "try some of them with --sample N");
}

void add_remarks(const FaultsFlags& options, FaultsResult& result) {
  result.remarks = result.subject.remarks;
  const Verdict& v = result.verdict;
  if (v.failed_pairs > 0)
    result.remarks.push_back(
        fmt::format("{} pairs of hosts have no path even if nothing fails", v.failed_pairs));
  if (v.disconnected > 0)
    result.remarks.push_back(fmt::format(
        "{} pairs of hosts are detached or disconnected even if nothing fails", v.disconnected));
  if (!v.deadlock_free && options.repair.repair.empty())
    result.remarks.push_back(
        "the tables are not deadlock free if nothing fails: each combination was proved "
        "separately");
  if (!options.symmetry) return;
  const Survival& s = result.survival;
  if (!v.deadlock_free)
    result.remarks.push_back("symmetry is not used for tables that are not deadlock free");
  else if (s.orbits == result.elements)
    result.remarks.push_back("no symmetry of the fabric maps these tables onto themselves");
  else
    result.remarks.push_back(fmt::format(
        "symmetry: the {} {} are of {} {}, {} combinations were looked at", result.elements,
        plural(options.of), s.orbits, s.orbits == 1 ? "kind" : "kinds", s.computed));
}

/// Repairs and proves each combination of faults.
void survive_with_repairs(const FaultsFlags& options, const SurvivalRequest& question,
                          FaultsResult& result) {
  const MakeRepairSequence make = make_sequences(options.repair, options.engine, result.subject);
  const Fabric& fabric = result.subject.fabric;
  if (options.fewest < options.faults)
    result.each = survive_repaired_from(fabric, make, options.fewest, question);
  const auto one = [&] { return std::vector{survive_repaired(fabric, make, question)}; };
  Survival& s = result.survival;
  unsigned max_lids = 0;
  for (const RepairedSurvival& found : result.each.empty() ? one() : result.each) {
    s.evaluated += found.evaluated;
    s.tolerated += found.tolerated;
    s.singular += found.singular;
    s.disconnected += found.disconnected;
    result.graded += found.graded;
    result.max_vls = std::max(result.max_vls, found.max_vls);
    result.max_sls = std::max(result.max_sls, found.max_sls);
    max_lids = std::max(max_lids, found.max_lids);
    result.paths += found.paths;
    if (found.witness && !s.witness)
      s.witness = SurvivalWitness{*found.witness, kNoHost, kNoHost, ""};
  }
  s.computed = s.evaluated;
  result.max_lids = max_lids;
  if (s.witness) result.why = why_singular(result.subject, make, s.witness->fault);
}

FaultsResult evaluate(const FaultsFlags& given) {
  FaultsFlags options = given;
  Progress progress;
  FaultsResult result;
  make_room(options.repair, options.engine);
  result.subject = options.tables.empty() ? compute(options.fabric, options.engine, progress)
                                          : read_subject(options.fabric, options.tables, progress);
  const bool repaired = !options.repair.repair.empty();
  if (repaired) require_one_sl(result.subject.further, options.tables, "--repair");
  if (options.symmetry) require_one_sl(result.subject.further, options.tables, "--symmetry");
  if (repaired) free_lids(options.repair, options.engine, result.subject);
  check_count(options, result);
  VerifyOptions asked;
  asked.any_lid = true;
  asked.max_witnesses = 1;
  asked.replies = options.engine.replies.has_value();
  asked.grade = options.engine.replies.value_or(asked.grade);
  result.verdict = prove(result.subject, asked, progress);
  check_bounds(options.engine, result.verdict);

  SurvivalRequest question;
  question.of = options.of;
  question.faults = options.faults;
  question.sample = options.sample;
  question.seed = options.seed.value_or(question.seed);
  question.symmetry = options.symmetry;
  question.jobs = options.jobs;
  question.replies = options.engine.replies;
  question.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (done == 0)
      progress.phase("trying faults", total, "combinations");
    else
      progress.advance(done);
  };
  if (options.sample) note(fmt::format("seed {}", question.seed));
  progress.phase("finding the paths");
  const auto began = std::chrono::steady_clock::now();
  if (repaired) {
    survive_with_repairs(options, question, result);
  } else {
    if (!result.subject.further.empty()) question.further = &result.subject.further;
    result.survival = survive(result.subject.fabric, result.subject.tables,
                              result.verdict.deadlock_free, question);
    // Faults only take dependencies away.
    const std::optional<ReplyGrade> grade = result.verdict.grade();
    if (asked.replies && grade && *grade >= asked.grade) result.graded = result.survival.tolerated;
    result.max_vls = result.verdict.vls_used;
    result.max_sls = result.verdict.sls_used;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result.seconds = took.count();
  add_remarks(options, result);
  return result;
}

std::vector<std::string> fault_names(const Fabric& fabric, const Fault& fault) {
  std::vector<std::string> names;
  names.reserve(fault.links.size() + fault.switches.size());
  for (const Channel c : fault.links) names.push_back(fabric.port_name(c));
  for (const SwitchId s : fault.switches) names.push_back(fabric.node(s).name);
  return names;
}

std::string witness_text(const FaultsResult& result) {
  const Fabric& fabric = result.subject.fabric;
  const SurvivalWitness& witness = *result.survival.witness;
  const std::string faults = fmt::format("{}", fmt::join(fault_names(fabric, witness.fault), ", "));
  if (!result.why.empty()) return fmt::format("repaired without {}: {}", faults, result.why);
  if (witness.source == kNoHost)
    return fmt::format("without {}: a cycle is left, {}", faults, witness.cycle);
  return fmt::format("without {}: {} has no path to {}", faults, host_label(fabric, witness.source),
                     host_label(fabric, witness.destination));
}

Json witness_json(const FaultsResult& result) {
  const Fabric& fabric = result.subject.fabric;
  const std::optional<SurvivalWitness>& witness = result.survival.witness;
  if (!witness) return nullptr;
  Json json{{"faults", fault_names(fabric, witness->fault)}, {"text", witness_text(result)}};
  if (!result.why.empty()) return json;
  if (witness->source != kNoHost) {
    json["source"] = host_label(fabric, witness->source);
    json["destination"] = host_label(fabric, witness->destination);
  } else {
    json["cycle"] = witness->cycle;
  }
  return json;
}

/// The number of combinations of k in n, approximately; it may be more than 64 bits can hold.
double many_combinations(unsigned n, unsigned k) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
}

/// If --faults is a range: the result for each number of faults.
Json each_json(const FaultsFlags& options, const FaultsResult& result) {
  Json each = Json::array();
  for (const RepairedSurvival& found : result.each) {
    Json witness;
    if (found.witness) witness = fault_names(result.subject.fabric, *found.witness);
    each.push_back({{"faults", options.fewest + each.size()},
                    {"evaluated", found.evaluated},
                    {"tolerated", found.tolerated},
                    {"singular", found.singular},
                    {"disconnected", found.disconnected},
                    {"max_vls", found.max_vls},
                    {"max_sls", found.max_sls},
                    {"max_lids", found.max_lids},
                    {"witness", witness}});
  }
  return each;
}

std::string each_text(const FaultsFlags& options, const FaultsResult& result) {
  std::vector<std::string> lines;
  for (const RepairedSurvival& found : result.each)
    lines.push_back(
        fmt::format("{}: {} tolerated, {} singular, {} disconnected; {} VLs, {} SLs, {} LIDs",
                    options.fewest + lines.size(), found.tolerated, found.singular,
                    found.disconnected, found.max_vls, found.max_sls, found.max_lids));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

Json to_json(const FaultsFlags& options, const FaultsResult& result) {
  const Survival& s = result.survival;
  Json json{{"evaluated", s.evaluated},        {"tolerated", s.tolerated},
            {"singular", s.singular},          {"disconnected", s.disconnected},
            {"max_vls", result.max_vls},       {"max_sls", result.max_sls},
            {"seconds", result.seconds},       {"combinations_total", nullptr},
            {"witness", witness_json(result)}, {"faults", options.faults},
            {"of", plural(options.of)},        {"elements", result.elements},
            {"looked_at", s.computed},         {"deadlock_free", result.verdict.deadlock_free}};
  if (result.total)
    json["combinations_total"] = *result.total;
  else
    json["combinations_total"] = many_combinations(result.elements, options.faults);
  json["seed"] = options.sample ? Json(options.seed.value_or(SurvivalRequest{}.seed)) : nullptr;
  json["repair"] = options.repair.repair.empty() ? Json(nullptr) : Json(options.repair.repair);
  if (result.max_lids) {
    json["repair_mode"] = mode_name(options.repair);
    json["max_lids"] = *result.max_lids;
    const KeptPaths& p = result.paths;
    json["paths"] = {{"hit", p.hit}, {"kept", p.kept}, {"moved", p.moved}, {"dead", p.dead}};
  }
  if (options.engine.replies)
    json["replies"] = {{"grade", name(*options.engine.replies)}, {"tolerated", result.graded}};
  if (!result.each.empty()) json["each"] = each_json(options, result);
  json["remarks"] = result.remarks;
  json["engine"] = options.engine.engine.empty() ? Json(nullptr) : Json(options.engine.engine);
  json["tables"] = options.tables.empty() ? Json(nullptr) : Json(options.tables);
  return json;
}

void print_sheet(const FaultsFlags& options, const FaultsResult& result, Output& output) {
  const Survival& s = result.survival;
  const auto share = [&](std::uint64_t count) {
    return fmt::format("{} ({:.2f} %)", count,
                       s.evaluated == 0
                           ? 0.0
                           : 100.0 * static_cast<double>(count) / static_cast<double>(s.evaluated));
  };
  Sheet sheet;
  sheet.row("tables",
            options.tables.empty() ? "of engine " + options.engine.engine : options.tables);
  sheet.row("faults", fmt::format("{} of {} {}", number_of_faults(options), result.elements,
                                  plural(options.of)));
  const std::string total =
      result.total ? fmt::format("{}", *result.total)
                   : fmt::format("{:.3g}", many_combinations(result.elements, options.faults));
  sheet.row("combinations", options.sample ? fmt::format("{} drawn of {}", s.evaluated, total)
                                           : fmt::format("all {}", total));
  sheet.row("tolerated", share(s.tolerated));
  sheet.row("singular", share(s.singular));
  sheet.row("disconnected", share(s.disconnected));
  if (options.engine.replies)
    sheet.row("responses", fmt::format("{} of those tolerated are {}", result.graded,
                                       name(*options.engine.replies)));
  if (!result.each.empty()) sheet.row("by number", each_text(options, result));
  sheet.row("VLs, SLs used", fmt::format("{}, {}", result.max_vls, result.max_sls));
  if (result.max_lids)
    sheet.row("repair", fmt::format("{} {}, up to {} LIDs of a host in use", options.repair.repair,
                                    mode_name(options.repair), *result.max_lids));
  if (const KeptPaths& p = result.paths; p.hit > 0) {
    sheet.row("paths hit", fmt::format("{} (switch, LID)", p.hit));
    sheet.row("keep LID and SL",
              fmt::format("{} ({:.2f} %)", p.kept,
                          100.0 * static_cast<double>(p.kept) / static_cast<double>(p.hit)));
    sheet.row("moved, dead", fmt::format("{}, {}", p.moved, p.dead));
  }
  sheet.row("tried in", fmt::format("{:.3f} s", result.seconds));
  if (!result.remarks.empty())
    sheet.row("remarks", fmt::format("{}", fmt::join(result.remarks, "\n")));
  if (s.witness) sheet.row("witness", witness_text(result));
  sheet.print(output);
}

/// Reads a whole number and returns where it ends; nullptr if there is none, or if it is out of
/// bounds.
const char* read_number(const char* begin, const char* end, std::uint64_t low, std::uint64_t most,
                        std::uint64_t& number) {
  const auto [at, error] = std::from_chars(begin, end, number);
  return error == std::errc{} && number >= low && number <= most ? at : nullptr;
}

/// Parses the value of --faults: "3" or "1-8".
void parse_faults(const std::string& text, FaultsFlags& options) {
  refuse_missing_value("--faults", text);
  std::uint64_t fewest = 0, most = 0;
  const char* const end = text.data() + text.size();
  const char* at = read_number(text.data(), end, 1, kMostFaults, fewest);
  most = fewest;
  if (at != nullptr && at != end)
    at = *at == '-' ? read_number(at + 1, end, fewest, kMostFaults, most) : nullptr;
  if (at != end)
    throw InputError(
        fmt::format("--faults takes a whole number from 1 to {}, or two, as 1-8", kMostFaults),
        fmt::format("'{}'", text), "correct the value");
  options.fewest = static_cast<unsigned>(fewest);
  options.faults = static_cast<unsigned>(most);
}

void add_of_option(CLI::App& app, FaultKind& of) {
  app.add_option_function<std::string>(
         "--of", [&of](const std::string& text) { of = parse_fault_kind("--of", text); },
         "What fails: links (cables between switches) or switches\n(default links)")
      ->option_text("links|switches");
}

}  // namespace

Verb add_faults_verb(CLI::App& program) {
  auto options = std::make_shared<FaultsFlags>();
  CLI::App* app =
      add_verb(program, "faults", "Count the combinations of K faults that tables survive");
  add_fabric_options(*app, options->fabric);
  app->footer(kFaultsHelp + app->get_footer());
  add_engine_options(*app, options->engine);
  add_replies_option(*app, options->engine.replies,
                     "Prove too how far responses on the request's SL are\nsafe under each "
                     "combination; it must be this far (slow with\n--repair)");
  add_text(*app, "--tables", options->tables, "FILE",
           "Try the tables of this file (selvedge-tables-1, or what\ndump_fts prints) instead of "
           "an engine's. The fabric is the\nfile's if --fabric is left out");
  app->add_option_function<std::string>(
         "--faults", [options](const std::string& text) { parse_faults(text, *options); },
         "How many fail at once, besides what --fail names; with\n--repair and --all also a range, "
         "as 1-8")
      ->option_text("K");
  add_of_option(*app, options->of);
  app->add_flag("--all", options->all, "Try every combination of K")->disable_flag_override();
  add_big_number(
      *app, "--sample", 1, options->sample, "N",
      "Try N combinations, each drawn from all, all equally\nlikely; one may come twice");
  add_big_number(*app, "--seed", 0, options->seed, "S",
                 "Of the sample: the same one draws the same (default 1)");
  app->add_flag("--symmetry", options->symmetry,
                "With --all on tori and meshes: use the translations,\nreflections and exchanges "
                "of dimensions that map the\ntables onto themselves. The counts are the same")
      ->disable_flag_override();
  add_repair_choice(*app, options->repair,
                    "Repair the tables after each fault, one after another in\n"
                    "the order of their ids");
  add_jobs_option(*app, options->jobs);
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            check(*options);
            const FaultsResult result = evaluate(*options);
            if (options->json)
              print_json(to_json(*options, result), output);
            else
              print_sheet(*options, result, output);
            const bool graded =
                !options->engine.replies || result.graded == result.survival.tolerated;
            return result.survival.singular > 0 || !graded ? kDoesNotHold : kDone;
          }};
}

}  // namespace selvedge::route
