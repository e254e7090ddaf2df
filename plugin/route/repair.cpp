// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route repair`: what the repair of a fault changes in an engine's tables, entry by
// entry, with the proof.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/program/repaired.hpp"
#include "plugin/program/report.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/faults_repaired.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/dark_lids.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kLidsOfABlock = 64;  // LFT entries in one SMP
constexpr std::size_t kShown = 8;       // the sheet lists at most so many switches and pairs

struct RepairFlags {
  FabricOptions fabric;
  EngineOptions engine;
  RepairChoice repair;
  bool json = false;
};

/// The changes at one switch; `blocks` are its LFT blocks.
struct Share {
  std::uint64_t lft = 0, sl2vl = 0;
  std::set<unsigned> blocks;
};

std::map<SwitchId, Share> shares(const Delta& delta) {
  std::map<SwitchId, Share> result;
  for (const LftChange& c : delta.lft) {
    ++result[c.at].lft;
    result[c.at].blocks.insert(c.dlid / kLidsOfABlock);
  }
  for (const Sl2VlChange& c : delta.sl2vl) ++result[c.at].sl2vl;
  return result;
}

Json delta_json(const Delta& delta) {
  Json lft = Json::array(), sl = Json::array(), sl2vl = Json::array();
  for (const LftChange& c : delta.lft)
    lft.push_back(
        Json{{"switch", c.at}, {"dlid", c.dlid}, {"before", c.before}, {"after", c.after}});
  for (const SlChange& c : delta.sl)
    sl.push_back(
        Json{{"source", c.source}, {"dlid", c.dlid}, {"before", c.before}, {"after", c.after}});
  for (const Sl2VlChange& c : delta.sl2vl)
    sl2vl.push_back(Json{
        {"switch", c.at}, {"in", c.in}, {"out", c.out}, {"before", c.before}, {"after", c.after}});
  return Json{{"lft", std::move(lft)}, {"sl", std::move(sl)}, {"sl2vl", std::move(sl2vl)}};
}

/// Whether LIDs without a route are kept for later repairs, as RFTR (readdressing) does.
bool spares(const RepairFlags& options) { return options.repair.mode == RepairMode::kReaddress; }

Json to_json(const RepairFlags& options, const Repaired& done) {
  const Fabric& fabric = done.subject.fabric;
  Json switches = Json::array(), readdressed = Json::array(), witnesses = Json::array();
  for (const auto& [s, share] : shares(done.repair.delta))
    switches.push_back(Json{{"switch", fabric.node(s).name},
                            {"lft_entries", share.lft},
                            {"lft_blocks", share.blocks.size()},
                            {"sl2vl_rows", share.sl2vl}});
  for (const Readdressed& r : done.repair.readdressed)
    readdressed.push_back(Json{{"source", fabric.node(r.source).name},
                               {"dlid_before", r.before},
                               {"dlid_after", r.after},
                               {"sl_before", r.sl_before},
                               {"sl_after", r.sl_after}});
  for (const Witness& w : done.verdict.witnesses) witnesses.push_back(witness_json(fabric, w));
  Json bytes = nullptr;
  if (done.index_bytes)
    bytes = Json{{"reachability", done.index_bytes->reachability},
                 {"further", done.index_bytes->further}};
  Json json{
      {"engine", options.engine.engine},
      {"repair_mode", mode_name(options.repair)},
      {"method", done.repair.method},
      {"healed", options.repair.healed},
      {"affected", done.repair.affected},
      {"moved", done.repair.moved},
      {"dead", done.repair.dead},
      {"dark_lids",
       spares(options) ? Json(nullptr) : dark_json(fabric, dark_lids(fabric, done.subject.tables))},
      {"readdressed", std::move(readdressed)},
      {"lft_entries_changed", done.repair.delta.lft.size()},
      {"sl2vl_rows_changed", done.repair.delta.sl2vl.size()},
      {"switches_changed", std::move(switches)},
      {"vls_used", done.verdict.vls_used},
      {"sls_used", done.verdict.sls_used},
      {"connected", done.verdict.connected},
      {"loop_free", done.verdict.loop_free},
      {"deadlock_free", done.verdict.deadlock_free},
      {"witness", std::move(witnesses)},
      {"delta", delta_json(done.repair.delta)},
      {"index_bytes", std::move(bytes)},
      {"compute_ms", done.subject.compute_ms},
      {"repair_ms", done.repair_ms},
      {"prove_ms", done.prove_ms}};
  if (options.engine.replies) json["replies"] = grade_json(done.verdict);
  return json;
}

std::string name_switches(const Fabric& fabric, const std::map<SwitchId, Share>& changed) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& [s, share] : changed) {
    if (shown++ == kShown) break;
    text +=
        fmt::format("{}{}: {} entries{}", text.empty() ? "" : "\n", fabric.node(s).name, share.lft,
                    share.sl2vl > 0 ? fmt::format(", {} SL2VL rows", share.sl2vl) : "");
  }
  if (changed.size() > kShown)
    text += fmt::format("\nand {} more (--json)", changed.size() - kShown);
  return text.empty() ? "none" : text;
}

std::string name_pairs(const Fabric& fabric, const std::vector<Readdressed>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, pairs.size()); ++i) {
    const Readdressed& r = pairs[i];
    text += fmt::format("{}{} to LID {}: LID {} on SL {}", i == 0 ? "" : "\n",
                        fabric.node(r.source).name, r.before, r.after, r.sl_after);
  }
  if (pairs.size() > kShown) text += fmt::format("\nand {} more (--json)", pairs.size() - kShown);
  return text.empty() ? "none" : text;
}

void print_sheet(const RepairFlags& options, const Repaired& done, Output& output) {
  const Repair& repair = done.repair;
  const std::map<SwitchId, Share> changed = shares(repair.delta);
  std::size_t blocks = 0;
  for (const auto& [s, share] : changed) blocks += share.blocks.size();
  Sheet sheet;
  sheet.row("engine", options.engine.engine);
  sheet.row(options.repair.healed ? "returned" : "repaired",
            fmt::format("{}: {}", mode_name(options.repair), repair.method));
  sheet.row("paths hit", fmt::format("{} (switch with hosts, LID)", repair.affected));
  sheet.row("paths moved", fmt::format("{} that worked", repair.moved));
  sheet.row("without a path", fmt::format("{} that cables still connect", repair.dead));
  if (!spares(options)) {
    const std::string dark =
        describe_dark(done.subject.fabric, dark_lids(done.subject.fabric, done.subject.tables));
    sheet.row("dark LIDs", dark.empty() ? "none" : dark);
  }
  sheet.row("entries changed", fmt::format("{} of LFTs in {} blocks, {} SL2VL rows, on {} switches",
                                           repair.delta.lft.size(), blocks,
                                           repair.delta.sl2vl.size(), changed.size()));
  sheet.row("at", name_switches(done.subject.fabric, changed));
  sheet.row("readdressed", name_pairs(done.subject.fabric, repair.readdressed));
  sheet.row("VLs used", fmt::format("{}", done.verdict.vls_used));
  sheet.row("SLs used", fmt::format("{}", done.verdict.sls_used));
  sheet.row("proved", proof_summary(done.verdict));
  sheet.row("times", fmt::format("repaired in {:.3f} ms, proved in {:.3f} ms; the engine took "
                                 "{:.3f} ms for the whole",
                                 done.repair_ms, done.prove_ms, done.subject.compute_ms));
  sheet.print(output);
}

}  // namespace

Verb add_repair_verb(CLI::App& program) {
  auto options = std::make_shared<RepairFlags>();
  CLI::App* app =
      add_verb(program, "repair", "Show what a repair changes when something fails, and prove it");
  add_fabric_options(*app, options->fabric);
  add_engine_options(*app, options->engine);
  add_replies_option(*app, options->engine.replies,
                     "Prove too how far responses on the request's SL are\nsafe after the "
                     "repair; it must be this far");
  add_repair_mode(*app, options->repair);
  add_healed(*app, options->repair);
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            require(options->fabric.spec, "--fabric", "FABRIC");
            require(options->engine.engine, "--engine", "ENGINE");
            if (options->fabric.fail.empty())
              throw InputError("nothing has failed", "--fail", "add --fail LINK_OR_SWITCH");
            options->repair.repair = "rftr";
            check(options->repair);
            Progress progress;
            const Repaired done =
                compute_repaired(options->fabric, options->engine, options->repair, progress);
            check_bounds(options->engine, done.verdict);
            if (options->json)
              print_json(to_json(*options, done), output);
            else
              print_sheet(*options, done, output);
            VerifyOptions asked = asked_of(options->engine);
            asked.any_lid = true;
            if (done.verdict.holds(asked)) return kDone;
            for (const Witness& w : done.verdict.witnesses)
              warn(fmt::format("{}: {}", w.property, w.text));
            return kDoesNotHold;
          }};
}

}  // namespace selvedge::route
