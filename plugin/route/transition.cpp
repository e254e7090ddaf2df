// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route transition`: what would be sent to go from one table set to another, in which
// order, and whether every state on the way is safe.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/each_transition.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
namespace {

struct TransitionFlags {
  FabricOptions fabric;
  EngineOptions engine;
  std::string from, to, fault, guard = "on";
  std::optional<FaultKind> each;
  bool lossless = false, states = false, json = false;
  unsigned jobs = one_job_a_core();
};

struct TransitionResult {
  Fabric whole, left;
  Tables from, to;
  bool guarded = false;
  Guard guard;  // for the new tables or, if these have none, the old ones
  OrderRequest request;
  SendPlan plan;
  Safety safety;
  std::optional<Losses> losses;      // set if --lossless is given
  std::optional<Safety> stale;       // set if SLs change: safety while sources use old SLs
  std::optional<CyclicState> state;  // set if not safe: a state with a cycle
  std::optional<Verdict> replies;    // set if --replies is given: the proof of the new tables
  bool replies_hold = true;
};

/// Checks that options fit together: with --each both table sets are made here; without it both
/// must be given.
void check_each(const TransitionFlags& options) {
  if (options.each) {
    require(options.fabric.spec, "--fabric", "FABRIC");
    require(options.engine.engine, "--engine", "ENGINE");
    for (const auto& [given, name] : {std::pair(!options.from.empty(), "--from"),
                                      {!options.to.empty(), "--to"},
                                      {!options.fault.empty(), "--fault"}})
      if (given)
        throw InputError("every single fault is tried from the engine's tables", name,
                         "leave it out, or leave --each out");
    if (options.lossless && options.states)
      throw InputError("states are looked at where something has failed", "--states",
                       "leave it out, or leave --lossless out");
  } else if (!options.engine.engine.empty() || options.states) {
    throw InputError("both table sets are given", options.states ? "--states" : "--engine",
                     "leave it out, or add --each links");
  }
}

void check_files(const TransitionFlags& options) {
  require(options.from, "--from", "FILE");
  require(options.to, "--to", "FILE");
}

void check(const TransitionFlags& options) {
  check_each(options);
  if (!options.each) check_files(options);
  if (options.guard != "on" && options.guard != "off")
    throw InputError(fmt::format("'{}' is neither on nor off", options.guard), "--guard",
                     "write --guard on or --guard off");
  if (options.states && options.guard == "on")
    throw InputError("states are looked at where there is no guard", "--states",
                     "add --guard off, or leave it out");
}

void check_same(const TransitionFlags& options, const Fabric& a, const Fabric& b) {
  if (a.num_switches() != b.num_switches() || a.num_hosts() != b.num_hosts())
    throw InputError("the two files are about different fabrics", options.to,
                     "give tables of one fabric");
  for (SwitchId s = 0; s < a.num_switches(); ++s)
    if (a.node(s).ports != 0 && b.node(s).ports != 0 && a.node(s).ports != b.node(s).ports)
      throw InputError(fmt::format("switch {} has another number of ports than in {}",
                                   a.node(s).name, options.from),
                       options.to, "give tables of one fabric");
  bool lids = a.top_lid() == b.top_lid();
  for (unsigned lid = 1; lids && lid <= a.top_lid(); ++lid)
    lids = a.owner(static_cast<Lid>(lid)) == b.owner(static_cast<Lid>(lid));
  if (!lids)
    throw InputError("a LID is not the same node's in both files", options.to,
                     "give tables with the same LIDs: a transition keeps them");
}

/// The switches at cables that the fabric of the new tables lacks.
std::vector<SwitchId> switches_at_lost_links(const Fabric& whole, const Fabric& left) {
  Fault fault;
  for (const Channel c : whole.links())
    if (left.peer(c) == kNoChannel) fault.links.push_back(c);
  return switches_at_fault(whole, fault);
}

TransitionResult evaluate(const TransitionFlags& options) {
  Progress progress;
  TransitionResult r;
  Subject from = read_subject(options.fabric, options.from, progress);
  // The second file is read with the ids of the first file's fabric. What the second lacks counts
  // as failed.
  TablesFile to = read_tables_file(options.to, &from.fabric);
  require_one_sl(from.further, options.from, "transition");
  require_one_sl(to.further, options.to, "transition");
  check_same(options, from.fabric, to.fabric);
  r.whole = std::move(from.fabric);
  r.left = options.fault.empty() ? std::move(to.fabric)
                                 : without(to.fabric, parse_fault(r.whole, {options.fault}));
  r.request.near = options.fault.empty()
                       ? switches_at_lost_links(r.whole, r.left)
                       : switches_at_fault(r.whole, parse_fault(r.whole, {options.fault}));
  r.from = std::move(from.tables);
  r.to = std::move(to.tables);
  if (options.guard == "on") {
    progress.phase("making the guard");
    Guard before = guard(r.whole, r.from);
    r.guard = before.exists ? guard(r.whole, r.to, {.previous = &before.sl2vl}) : before;
    r.guarded = before.exists && r.guard.exists;
    if (r.guarded) {
      r.from.sl2vl = std::move(before.sl2vl);
      r.to.sl2vl = r.guard.sl2vl;
    }
  }
  progress.phase("finding an order");
  Delta delta = difference(r.from, r.to);
  if (options.engine.replies) {
    VerifyOptions asked = asked_of(options.engine);
    asked.any_lid = true;
    r.replies = verify(r.left, r.to, asked).verdict();
    const std::optional<ReplyGrade> grade = r.replies->grade();
    r.replies_hold = grade && *grade >= asked.grade;
  }
  if (options.lossless) {  // until the new tables are written, drained cables carry packets
    drop_failed_switches(delta, r.left);
    r.left = r.whole;
    r.request.lossless = true;
  }
  r.plan = send_plan(r.left, r.from, delta, r.request);
  progress.phase("proving all states of the change");
  r.safety = prove_safety(r.left, r.from, r.plan);
  if (options.lossless) r.losses = losses(r.left, r.from, r.plan);
  if (!delta.sl.empty()) r.stale = prove_safety(r.left, r.from, r.plan, {.stale_sls = true});
  if (!r.safety.safe()) r.state = first_cycle(r.left, r.from, r.plan);
  return r;
}

bool holds(const TransitionResult& r) {
  return r.safety.safe() && (!r.losses || r.losses->none()) && r.replies_hold;
}

const char* yes(bool holds) { return holds ? "yes" : "NO"; }

Json phase_json(const TransitionResult& r, const SendPhase& phase, const PhaseSafety& safety) {
  const auto name = [&](SwitchId s) { return r.left.node(s).name; };
  Json json{{"kind", name_of(phase.kind)},
            {"drain_first", phase.drain_first},
            {"writes", phase.size()},
            {"lft_entries", phase.lft.size()},
            {"deadlock_free", safety.deadlock_free},
            {"looping_lids", safety.looping_lids}};
  Json blocks = Json::array(), rows = Json::array(), groups = Json::array();
  for (const LftBlock& b : phase.blocks)
    blocks.push_back({{"switch", name(b.at)}, {"block", b.block}, {"entries", b.count}});
  for (const Sl2VlChange& c : phase.sl2vl)
    rows.push_back({{"switch", name(c.at)},
                    {"in", c.in},
                    {"out", c.out},
                    {"before", c.before},
                    {"after", c.after}});
  for (const MftChange& c : phase.mft)
    groups.push_back({{"switch", name(c.at)}, {"mlid", c.mlid}, {"ports", c.after.count()}});
  json["lft_blocks"] = std::move(blocks);
  json["sl2vl_rows"] = std::move(rows);
  json["groups"] = std::move(groups);
  json["sls_told"] = phase.sl.size();
  return json;
}

Json to_json(const TransitionFlags& options, const TransitionResult& r) {
  Json near = Json::array();
  for (const SwitchId s : r.request.near) near.push_back(r.whole.node(s).name);
  Json phases = Json::array();
  for (std::size_t i = 0; i < r.plan.phases.size(); ++i)
    phases.push_back(phase_json(r, r.plan.phases[i], r.safety.phases[i]));
  Json json{
      {"from", options.from},
      {"to", options.to},
      {"near", std::move(near)},
      {"guard", r.guarded},
      {"guard_why_not", r.guarded || options.guard == "off" ? Json(nullptr) : Json(r.guard.reason)},
      {"method", name_of(r.plan.method)},
      {"why", r.plan.why},
      {"writes", r.plan.writes()},
      {"phases", std::move(phases)},
      {"loop_free", r.safety.loop_free},
      {"deadlock_free", r.safety.deadlock_free},
      {"deadlock_free_any_lfts", r.safety.any_lfts},
      {"deadlock_free_stale_sls", r.stale ? Json(r.stale->deadlock_free) : Json(nullptr)},
      {"lossy_lids", r.losses ? Json(r.losses->lids.size()) : Json(nullptr)},
      {"holds", holds(r)}};
  if (r.replies) json["replies"] = grade_json(*r.replies);
  json["witness"] = r.safety.cycle ? witness_json(r.left, *r.safety.cycle) : Json(nullptr);
  json["loop"] = r.safety.loop ? witness_json(r.left, *r.safety.loop) : Json(nullptr);
  json["first_cycle_after_writes"] = r.state ? Json(r.state->writes) : Json(nullptr);
  return json;
}

std::string phase_line(const SendPhase& phase, const PhaseSafety& safety) {
  std::string line = fmt::format("{}: ", name_of(phase.kind));
  if (!phase.sl2vl.empty()) line += fmt::format("{} SL2VL rows", phase.sl2vl.size());
  if (!phase.blocks.empty())
    line += fmt::format("{} LFT blocks, {} entries", phase.blocks.size(), phase.lft.size());
  if (!phase.mft.empty()) line += fmt::format("{} group entries", phase.mft.size());
  if (!phase.sl.empty()) line += fmt::format("{} (source, DLID) pairs", phase.sl.size());
  if (phase.drain_first) line += "; before it, packets in flight have drained";
  if (safety.looping_lids > 0) line += fmt::format("; {} DLIDs may loop", safety.looping_lids);
  if (!safety.deadlock_free) line += "; MAY DEADLOCK";
  return line;
}

void print_sheet(const TransitionFlags& options, const TransitionResult& r, Output& output) {
  Sheet sheet;
  sheet.row("from, to", fmt::format("{}, {}", options.from, options.to));
  std::string near;
  for (const SwitchId s : r.request.near) near += (near.empty() ? "" : ", ") + r.whole.node(s).name;
  sheet.row("nearest first to", near.empty() ? "no fault given" : near);
  sheet.row("guard", options.guard == "off" ? "off"
                     : r.guarded            ? fmt::format("on, {} of {} turns between cables pass",
                                                          r.guard.permitted, r.guard.turns)
                                            : "none: " + r.guard.reason);
  sheet.row("method", fmt::format("{}\n{}", name_of(r.plan.method), wrapped(r.plan.why, 70)));
  for (std::size_t i = 0; i < r.plan.phases.size(); ++i)
    sheet.row(fmt::format("phase {}", i + 1), phase_line(r.plan.phases[i], r.safety.phases[i]));
  sheet.row("writes", fmt::format("{}", r.plan.writes()));
  sheet.row("loop free", r.safety.loop_free       ? "yes, in every state"
                         : r.safety.deadlock_free ? "no, but an SL2VL row drops looping packets"
                                                  : "NO");
  sheet.row("deadlock free", fmt::format("{}{}", yes(r.safety.deadlock_free),
                                         r.safety.any_lfts ? ", whatever the LFTs" : ""));
  if (r.stale)
    sheet.row("  with old SLs",
              fmt::format("{} (sources that do not query their path record again)",
                          yes(r.stale->deadlock_free)));
  if (r.replies) {
    const std::optional<ReplyGrade> grade = r.replies->grade();
    sheet.row("responses", fmt::format("{}{}", grade ? name(*grade) : "none",
                                       r.replies_hold ? "" : ": NOT as --replies asks"));
  }
  if (r.losses)
    sheet.row("loses nothing",
              r.losses->none()
                  ? "yes, no packet in flight"
                  : fmt::format("NO: packets for {} DLIDs may be lost\n{}", r.losses->lids.size(),
                                wrapped(r.losses->witness->text, 70)));
  if (r.safety.loop) sheet.row("a loop", r.safety.loop->text);
  if (r.safety.cycle) sheet.row("witness", r.safety.cycle->text);
  if (r.state)
    sheet.row("", fmt::format("in this order a state has a cycle after write {}: {}",
                              r.state->writes, r.state->cycle.text));
  sheet.print(output);
}

ExitStatus run_each_fault(const TransitionFlags& options, Output& output) {
  Progress progress;
  const Subject subject = compute(options.fabric, options.engine, progress);
  const EachFaultRequest question{*options.each,  options.guard == "on", options.lossless,
                                  options.states, options.jobs,          options.engine.replies};
  const EachFaultResult each = prove_each_fault(subject, question, progress);
  if (options.json)
    print_json(to_json(each, question, options.engine.engine), output);
  else
    print_sheet(each, question, output);
  return holds(each, question) ? kDone : kDoesNotHold;
}

}  // namespace

Verb add_transition_verb(CLI::App& program) {
  auto options = std::make_shared<TransitionFlags>();
  CLI::App* app = add_verb(program, "transition",
                           "Show what is sent to go from one table set to another, in which order, "
                           "and\nprove every state of the change");
  add_text(*app, "--fabric", options->fabric.spec, "FABRIC",
           "The fabric, whole; the first file's if left out");
  add_text(*app, "--from", options->from, "FILE", "The tables in force (selvedge-tables-1)");
  add_text(*app, "--to", options->to, "FILE",
           "The tables to come, with the same LIDs; cables that this\nfile lacks have failed");
  add_text(*app, "--fault", options->fault, "LINK",
           "What has failed: a cable (S-0-0:2, S-0-0/S-0-1) or a\nswitch. What is near to it is "
           "sent first");
  add_text(
      *app, "--guard", options->guard, "on|off",
      "SL2VL tables that drop turns which could close a cycle,\nwhere there can be such; on by "
      "default");
  app->add_flag("--lossless", options->lossless,
                "Nothing has failed yet, what --to lacks (or each link or\nswitch) is about to be "
                "taken out: find an order that\nloses no packet, and prove it");
  app->add_option_function<std::string>(
         "--each",
         [options](const std::string& text) { options->each = parse_fault_kind("--each", text); },
         "Instead of two files: every single fault of --fabric, repaired\nin place from the tables "
         "of --engine as the plugin does it,\nand every state on the way. With --guard off also "
         "what two\nusual orders would risk")
      ->option_text("links|switches");
  app->add_flag("--states", options->states,
                "With --each and --guard off: where some mixture has a cycle,\nlook whether a "
                "state has, as one write after another\narrives (slow)");
  add_jobs_option(*app, options->jobs);
  add_engine_options(*app, options->engine);
  add_replies_option(*app, options->engine.replies,
                     "Prove too how far responses on the request's SL are\nsafe with the new "
                     "tables; it must be this far");
  add_json(*app, options->json);
  app->footer(kFabricHelp);
  return {app, [options](Output& output) {
            check(*options);
            if (options->each) return run_each_fault(*options, output);
            const TransitionResult result = evaluate(*options);
            if (options->json)
              print_json(to_json(*options, result), output);
            else
              print_sheet(*options, result, output);
            return holds(result) ? kDone : kDoesNotHold;
          }};
}

}  // namespace selvedge::route
