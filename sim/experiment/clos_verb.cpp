// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_verb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/regular_file.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/program/report.hpp"
#include "sim/clos/qos_policy.hpp"
#include "sim/experiment/clos_question.hpp"
#include "sim/experiment/workers.hpp"

namespace selvedge::sim {
namespace {

/// Cables of a generated fabric have this rate: that of the paper (Zahavi 2012 §5.2).
constexpr double kGeneratedGbps = 40;
/// Cables without a speed in a .net file: 4x SDR, as ibsim has it.
constexpr double kUnwrittenGbps = 10;
constexpr unsigned kMostIterations = 100'000'000, kMostPermutations = 10'000'000;
constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;
constexpr std::string_view kClosFilePrefix = "file:";

struct ClosFlags {
  std::string fabric, model, absorb = "improved", traffic = "worst", first = "mod", policy;
  std::vector<std::string> fail, rates;
  std::optional<unsigned> permutations;
  ClosQuestion question;
  bool json = false;
};

[[noreturn]] void refuse_choice(const char* option, const std::string& value, const char* choices) {
  throw InputError(fmt::format("'{}' is no choice", value), option,
                   fmt::format("choose {}", choices));
}

double parse_rate(const std::string& text) {
  const char* const end = text.data() + text.size();
  double rate = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, rate);
  if (error != std::errc{} || rest != end || !std::isfinite(rate) || rate <= 0)
    throw InputError(fmt::format("'{}' is no rate", text), "--rate-gbps", "write Gb/s, as 19.2");
  return rate;
}

void read_choices(ClosFlags& flags) {
  ClosQuestion& q = flags.question;
  for (const std::string& rate : flags.rates) q.rates_gbps.push_back(parse_rate(rate));
  if (flags.model == "single")
    q.model = ClosModel::kSingle;
  else if (flags.model == "last-step")
    q.model = ClosModel::kLastStep;
  else if (flags.model == "none")
    q.model = ClosModel::kNone;
  else if (!flags.model.empty())
    refuse_choice("--model", flags.model, "single, last-step or none");
  q.absorb_after_both = flags.absorb == "after-both";
  if (!q.absorb_after_both && flags.absorb != "improved")
    refuse_choice("--absorb", flags.absorb, "improved or after-both");
  if (q.absorb_after_both && q.model != ClosModel::kSingle)
    throw InputError("only one model has this choice", "--absorb after-both", "add --model single");
  if (flags.first == "semi-random")
    q.rules.settle.first = FirstAssignment::kSemiRandom;
  else if (flags.first != "mod")
    refuse_choice("--first", flags.first, "mod or semi-random");
}

void read_traffic(ClosFlags& flags, const Wiring& wiring) {
  ForecastRules& rules = flags.question.rules;
  if (flags.permutations) rules.most_permutations = *flags.permutations;
  if (flags.traffic == "random") {
    rules.kind = PermutationKind::kRandom;
  } else if (flags.traffic.starts_with(kClosFilePrefix)) {
    const std::string path = flags.traffic.substr(kClosFilePrefix.size());
    unsigned hosts = 0;
    for (const unsigned of : wiring.hosts) hosts += of;
    rules.given =
        read_permutations(read_small_file(path, "the permutations", kMostFileBytes), hosts, path);
    if (!flags.permutations) rules.most_permutations = rules.given.size();
  } else if (flags.traffic != "worst") {
    refuse_choice("--traffic", flags.traffic, "worst, random or file:PATH");
  }
}

/// Throws InputError if two leaf switches have no way to each other.
void refuse_pieces(const Fabric& fabric, const RecognisedClos& clos) {
  const auto [a, b] = unconnected_leaves(clos.wiring);
  if (a == b) return;
  const Labels labels(fabric);
  throw InputError(
      "no spine has cables to both leaf switches",
      fmt::format("{} and {}", labels.of_switch(clos.leaves[a]), labels.of_switch(clos.leaves[b])),
      "repair the cables first, or fail fewer");
}

std::string iterations_text(double log10_iterations) {
  if (std::isinf(log10_iterations)) return log10_iterations < 0 ? "0" : "infinitely many";
  return log10_iterations < 6 ? fmt::format("{:.3g}", std::pow(10, log10_iterations))
                              : fmt::format("10^{:.1f}", log10_iterations);
}

std::string fate_text(const RateFate& fate, std::uint64_t most_iterations) {
  const std::string links =
      fmt::format("{} flow{} a link: ", fate.flows_per_link, fate.flows_per_link == 1 ? "" : "s");
  if (fate.flows_without_place > 0)
    return links + fmt::format("no good routing: the leaf switches lack links for {} flows",
                               fate.flows_without_place);
  const Forecast& f = fate.forecast;
  std::string text = links;
  if (f.settles())
    text += fmt::format(
        "settles in the abstract system after {:.3g} iterations on average, 99 % within {}",
        f.iterations_mean, *f.iterations_p99);
  else
    text += fmt::format(
        "does not settle in the abstract system: {} of {} permutations within {} iterations",
        f.settled, f.permutations, most_iterations);
  if (fate.model_log10_iterations)
    text += fmt::format("\nmodel {}: {} iterations", fate.model,
                        iterations_text(*fate.model_log10_iterations));
  return text;
}

std::string advice(const ClosAnswer& answer) {
  constexpr const char* packets =
      "\nwith packets and queues: simulate it (conf/experiments/clos-self-routing.toml)";
  if (!answer.highest_gbps)
    return "leave adaptive routing off: in the abstract system it settles at no rate";
  if (!answer.throttle_gbps) {
    std::string text = "nothing to do in the abstract system: it settles at the hosts' full rate";
    if (answer.hosts_fill_links)
      text +=
          ",\nbut such flows fill links, and queues that do not drain may keep it from settling";
    return text + packets;
  }
  std::string text = fmt::format(
      "throttle the hosts to {:g} Gb/s: flows of {:g} fill links, whose queues do not drain",
      *answer.throttle_gbps, *answer.highest_gbps);
  if (const auto limit = rate_limit_below(*answer.throttle_gbps))
    text += fmt::format("\n--write-qos-policy FILE: to {:g} Gb/s, the next lower rate of the IBA",
                        limit->gbps);
  return text + "\nor use static routing, or add spines" + packets;
}

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json json_of(const RateFate& fate) {
  const Forecast& f = fate.forecast;
  const bool simulated = f.permutations > 0;
  Json json{{"rate_gbps", fate.gbps},
            {"flows_per_link", fate.flows_per_link},
            {"flows_without_place", fate.flows_without_place},
            {"model", fate.model}};
  json["model_log10_iterations"] = number_or_null(fate.model_log10_iterations);
  json["permutations"] = f.permutations;
  json["iterations_mean"] = f.settled > 0 ? Json(f.iterations_mean) : Json(nullptr);
  json["iterations_p99"] = f.iterations_p99 ? Json(*f.iterations_p99) : Json(nullptr);
  json["moves_mean"] = f.settled > 0 ? Json(f.moves_mean) : Json(nullptr);
  json["unsettled_share"] = simulated ? Json(f.unsettled_share()) : Json(1.0);
  json["settles"] = f.settles();
  return json;
}

void print_sheet(const ClosFlags& flags, const RecognisedClos& clos, const ClosAnswer& answer,
                 Output& output) {
  const ClosSize size = clos.size();
  Sheet sheet;
  sheet.row("fabric", flags.fabric);
  sheet.row("tree", clos.form);
  sheet.row("size", fmt::format("n = {} hosts a leaf switch, r = {} leaf switches, m = {} middle "
                                "switches",
                                size.n, size.r, size.m));
  if (clos.least_uplinks() < size.m)
    sheet.row("links up", fmt::format("{} of the poorest leaf switch", clos.least_uplinks()));
  sheet.row("rates",
            fmt::format("{:g} Gb/s a link, {:g} a host{}", answer.link_gbps, answer.host_gbps,
                        flags.fabric.starts_with(kClosFilePrefix)
                            ? ""
                            : " (a generated fabric's cables are taken as 4x QDR)"));
  for (const std::string& remark : clos.remarks) sheet.row("remark", remark);
  for (const RateFate& fate : answer.rates)
    sheet.row(fmt::format("{:g} Gb/s", fate.gbps),
              fate_text(fate, flags.question.rules.settle.most_iterations));
  sheet.row("highest rate",
            answer.highest_gbps
                ? fmt::format("{:g} Gb/s settles in the abstract system", *answer.highest_gbps)
                : fmt::format("none: not even {} flows a link settle", kMostFlowsPerLink));
  sheet.row("what to do", advice(answer));
  sheet.print(output);
}

Json document(const ClosFlags& flags, const Fabric& fabric, const RecognisedClos& clos,
              const ClosAnswer& answer) {
  const ClosSize size = clos.size();
  const Labels labels(fabric);
  Json leaves = Json::array();
  for (unsigned leaf = 0; leaf < clos.wiring.leaves(); ++leaf)
    leaves.push_back(
        {{"switch", labels.of_switch(clos.leaves[leaf])}, {"hosts", clos.wiring.hosts[leaf]}});
  Json rates = Json::array();
  for (const RateFate& fate : answer.rates) rates.push_back(json_of(fate));
  return {{"fabric", flags.fabric},
          {"form", clos.form},
          {"n", size.n},
          {"r", size.r},
          {"m", size.m},
          {"least_uplinks", clos.least_uplinks()},
          {"leaves", std::move(leaves)},
          {"link_gbps", answer.link_gbps},
          {"host_gbps", answer.host_gbps},
          {"remarks", clos.remarks},
          {"seed", flags.question.rules.seed},
          {"traffic", flags.traffic},
          {"first", flags.first},
          {"most_iterations", flags.question.rules.settle.most_iterations},
          {"rates", std::move(rates)},
          {"highest_settling_rate_gbps", number_or_null(answer.highest_gbps)},
          {"throttle_gbps", number_or_null(answer.throttle_gbps)}};
}

RecognisedClos recognised(const ClosFlags& flags, const Fabric& fabric) {
  RecognisedClos clos = recognise_clos(fabric, parse_fault(fabric, flags.fail), flags.fabric);
  refuse_pieces(fabric, clos);
  if (!flags.fabric.starts_with(kClosFilePrefix)) clos.link_gbps = clos.host_gbps = kGeneratedGbps;
  if (clos.link_gbps == 0 || clos.host_gbps == 0)
    throw InputError("the rate of a cable is unknown", flags.fabric,
                     "write it into the file, as 4xEDR");
  if (flags.fabric.starts_with(kClosFilePrefix) &&
      (clos.link_gbps == kUnwrittenGbps || clos.host_gbps == kUnwrittenGbps))
    clos.remarks.push_back("10 Gb/s is 4x SDR, which also cables without a speed in the file have");
  return clos;
}

/// The rate that the policy is to have. Throws InputError if there is none.
RateCode policy_limit(const ClosAnswer& answer, const std::string& path) {
  const std::string where = fmt::format("--write-qos-policy {}", path);
  if (!answer.highest_gbps)
    throw InputError("adaptive routing settles at no rate", where, "leave it out");
  if (!answer.throttle_gbps)
    throw InputError("nothing is to be throttled: it settles at the hosts' full rate", where,
                     "leave it out");
  const std::optional<RateCode> limit = rate_limit_below(*answer.throttle_gbps);
  if (!limit)
    throw InputError("the rate to write is below the IBA's lowest", where, "leave it out");
  return *limit;
}

int clos(ClosFlags& flags, Output& output) {
  read_choices(flags);
  const Fabric fabric = make_fabric(flags.fabric);
  const RecognisedClos found = recognised(flags, fabric);
  read_traffic(flags, found.wiring);
  flags.question.rules.threads = cores();
  Progress progress;
  unsigned shown = 0;
  std::mutex mutex;
  const ClosAnswer result =
      answer(found, flags.question, [&](unsigned flows_per_link, std::uint64_t done) {
        const std::lock_guard lock(mutex);
        if (flows_per_link != shown)
          progress.phase(fmt::format("{} flows a link", flows_per_link),
                         flags.question.rules.most_permutations, "permutations");
        shown = flows_per_link;
        progress.advance(done);
      });
  if (!flags.policy.empty())
    write_file(flags.policy, qos_policy(policy_limit(result, flags.policy)));
  if (flags.json)
    print_json(document(flags, fabric, found, result), output);
  else
    print_sheet(flags, found, result, output);
  const bool placed = std::ranges::all_of(
      result.rates, [](const RateFate& fate) { return fate.flows_without_place == 0; });
  return placed ? kDone : kDoesNotHold;
}

}  // namespace

Verb add_clos_verb(CLI::App& program) {
  auto flags = std::make_shared<ClosFlags>();
  ForecastRules& rules = flags->question.rules;
  CLI::App* app = add_verb(program, "clos",
                           "Does adaptive routing settle on this fat tree, and at which rates?");
  add_text(*app, "--fabric", flags->fabric, "FABRIC",
           "A folded Clos or XGFT of two levels, as file:PATH or\nclos:n=24,r=48,m=24");
  app->add_option("--rate-gbps", flags->rates,
                  "The rate of each host's flow; repeat it for several\n(default: the hosts' rate, "
                  "and half of a link)")
      ->type_name("X");
  app->add_option("--fail", flags->fail, "A cable or a spine that is down; repeat it for several")
      ->type_name("LINK_OR_SWITCH");
  add_text(*app, "--model", flags->model, "single|last-step|none",
           "Which Markov model (default: last-step, for up to two\nflows a link)");
  add_text(*app, "--absorb", flags->absorb, "improved|after-both",
           "Model single: when an output switch stays good\n(default: improved)");
  add_text(
      *app, "--traffic", flags->traffic, "worst|random|file:PATH",
      "Permutations of the hosts (default: worst); a file has\na line of destinations for each, by "
      "the numbers that\nthe hosts have leaf by leaf, in the order of the JSON");
  add_number(*app, "--permutations", 1, kMostPermutations, "N",
             "At most so many (default: 20000, in batches of 1000\nuntil the mean is steady; all "
             "of a file)",
             [flags](unsigned n) { flags->permutations = n; });
  add_text(*app, "--first", flags->first, "mod|semi-random",
           "How a leaf switch places its flows at first\n(default: mod)");
  add_number(*app, "--iterations", 1, kMostIterations, "N",
             "Not settled within so many: it does not settle\n(default: 1000)",
             [&rules](unsigned n) { rules.settle.most_iterations = n; });
  add_number(*app, "--seed", 0, UINT32_MAX, "N", "Of permutations and choices (default: 1)",
             [&rules](unsigned n) { rules.seed = n; });
  add_text(*app, "--write-qos-policy", flags->policy, "FILE",
           "Writes a policy for OpenSM that throttles the hosts,\nby the IBA's next rate below the "
           "highest that settles");
  add_json(*app, flags->json);
  app->footer(
      "A link with more flows than fit is bad. In an iteration of the abstract system every leaf\n"
      "switch asks for another path of a flow of its worst bad link. It has settled when no link\n"
      "is bad. Queues are not in it. Exit status 1: at a rate, the leaf switches have too few\n"
      "links for their hosts. docs/self-routing.md explains it.");
  return {app, [flags](Output& output) {
            selvedge::require(flags->fabric, "--fabric", "FABRIC");
            return clos(*flags, output);
          }};
}

}  // namespace selvedge::sim
