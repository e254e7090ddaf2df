// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route paths SRC DST`: the paths of a pair, by the tables of an engine, of a file or of
// a running plugin.
#include "plugin/tables/paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/regular_file.hpp"
#include "plugin/engines/multipath/plan.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/apm_report.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/drawing.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/pair.hpp"
#include "plugin/route/plugin_client.hpp"
#include "plugin/tables/files.hpp"

namespace selvedge::route {
namespace {

constexpr std::size_t kMostPairs = std::size_t{16} << 20;  // bytes of a file of pairs

struct PathsFlags {
  std::string source, destination;
  FabricOptions fabric;
  EngineOptions engine;
  std::string tables;
  std::string socket;
  std::string svg;
  bool apm = false;
  std::string pairs;
  bool json = false;
};

void check(const PathsFlags& options) {
  if (options.pairs.empty()) {
    require(options.source, "SRC", "the name of a host or switch, and DST, another");
    require(options.destination, "DST", "the name of a host or switch");
  } else if (!options.apm) {
    throw InputError("a file of pairs is only for --apm", "--pairs", "add --apm, or leave it out");
  } else if (!options.source.empty()) {
    throw InputError("both a pair and a file of pairs are given", "--pairs",
                     "leave it out, or leave out SRC and DST");
  }
  if (options.apm && !options.svg.empty())
    throw InputError("primary and alternate are not drawn", "--svg", "leave it or --apm out");
  const bool offline = !options.engine.engine.empty() || !options.tables.empty();
  if (!options.engine.engine.empty() && !options.tables.empty())
    throw InputError("both an engine and a file of tables are given", "--engine, --tables",
                     "give one of them");
  if (offline && !options.socket.empty())
    throw InputError("both a running plugin and other tables are given", "--socket",
                     "leave it out, or leave out --engine and --tables");
  if (!options.engine.engine.empty()) require(options.fabric.spec, "--fabric", "FABRIC");
  if (options.engine.engine.empty()) refuse_engine_options(options.engine, true);
  if (!offline && !options.fabric.spec.empty())
    throw InputError("there are no tables for this fabric", "--fabric",
                     "add --engine ENGINE or --tables FILE");
}

Subject find_subject(const PathsFlags& options) {
  Progress progress;
  if (!options.engine.engine.empty()) return compute(options.fabric, options.engine, progress);
  if (!options.tables.empty()) return read_subject(options.fabric, options.tables, progress);
  const std::string socket = options.socket.empty() ? kPluginSocket : options.socket;
  progress.phase("asking the plugin");
  const Json answer = ask_plugin_json(socket, "tables");
  Subject subject;
  try {
    TablesFile live = read_tables(answer.dump(), socket);
    subject.tables = std::move(live.tables);
    subject.fabric = std::move(live.fabric);
  } catch (const InputError& e) {  // the plugin is at fault, not the user
    throw EnvironmentError("the plugin's answer holds no tables", e.where(), e.problem());
  }
  if (!options.fabric.fail.empty())
    subject.fabric = without(subject.fabric, parse_fault(subject.fabric, options.fabric.fail));
  return subject;
}

std::string lacking_grade(const Verdict& verdict, ReplyGrade asked) {
  const std::optional<ReplyGrade> grade = verdict.grade();
  return fmt::format("responses on the request's SL are {}, not {} as --replies asks",
                     grade ? name(*grade) : "not proved", name(asked));
}

const char* end_name(Path::End end) {
  switch (end) {
    case Path::End::kArrives:
      return "arrives";
    case Path::End::kNoRoute:
      return "no route";
    case Path::End::kLoop:
      return "loop";
    case Path::End::kDeadCable:
      return "dead cable";
    case Path::End::kDropped:
      return "dropped (VL 15)";
  }
  return "unknown";
}

/// A route as text: each switch with the port by which the path leaves it, "S-0-0:2 S-0-1:4 S-1-1".
std::string route_text(const Fabric& fabric, const Path& path) {
  std::string text;
  for (std::size_t i = 0; i < path.switches.size(); ++i) {
    if (i > 0) text += ' ';
    text += i < path.channels.size() ? fabric.port_name(path.channels[i])
                                     : fabric.node(path.switches[i]).name;
  }
  if (!path.arrives()) text += fmt::format("  {}", end_name(path.end));
  return text;
}

std::string vls_text(const std::vector<Vl>& vls) {
  if (vls.empty()) return "-";
  if (std::ranges::count(vls, vls.front()) == std::ssize(vls)) return std::to_string(vls.front());
  return fmt::format("{}", fmt::join(vls, ","));
}

std::string node_text(const Fabric& fabric, const Node& node) {
  const std::string lids = node.lids == 1
                               ? fmt::format("LID {}", node.lid)
                               : fmt::format("LIDs {} to {}", node.lid, node.lid + node.lids - 1);
  return node.host == kNoHost ? fmt::format("{} ({})", node.name, lids)
                              : fmt::format("{} ({}, at {}:{})", node.name, lids,
                                            fabric.node(node.at).name, node.port);
}

/// Whose tables are shown; "" if they are from a file.
std::string engine_of(const PathsFlags& options) {
  if (!options.engine.engine.empty() || !options.tables.empty()) return options.engine.engine;
  const Json status =
      ask_plugin_json(options.socket.empty() ? kPluginSocket : options.socket, "status");
  const auto sweep = status.find("last_sweep");
  return sweep != status.end() && sweep->is_object() ? sweep->value("tables_of", "") : "";
}

/// For tables of multipath: the path bits of each path's LID. Empty for other tables, and for a
/// destination with one LID.
std::vector<std::string> bits_of(const PathsFlags& options, const Fabric& fabric,
                                 const Node& destination, const std::vector<PairPath>& paths) {
  std::vector<std::string> bits;
  if (destination.host == kNoHost || destination.lids < 2 || engine_of(options) != "multipath")
    return bits;
  const multipath::BitPlan plan = multipath::plan_bits(fabric);
  for (const PairPath& p : paths)
    bits.push_back(lid_bits(fabric, plan, fabric.host(destination.host), p.offset));
  return bits;
}

void print_table(const Fabric& fabric, const Node& source, const Node& destination,
                 const std::vector<PairPath>& paths, const std::vector<std::string>& bits,
                 Output& output) {
  output.write(printable(
      fmt::format("from {} to {}", node_text(fabric, source), node_text(fabric, destination))));
  const auto disjoint = std::ranges::count(paths, true, &PairPath::disjoint);
  output.print("\n{} {} disjoint (marked *)\n\n", disjoint,
               disjoint == 1 ? "path is" : "paths are");
  std::size_t vls_width = 3;
  for (const PairPath& p : paths) vls_width = std::max(vls_width, vls_text(p.path.vls).size());
  std::size_t bits_width = 4;
  for (const std::string& text : bits) bits_width = std::max(bits_width, text.size());
  const auto bits_column = [&](std::string_view text) {
    return bits.empty() ? std::string() : fmt::format("{:<{}}  ", text, bits_width);
  };
  output.print("    LID  offset  back  {}SL  links  {:<{}}  path\n", bits_column("bits"), "VLs",
               vls_width);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const PairPath& p = paths[i];
    output.print("{} {:>5}  {:>6}  {:>4}  {}{:>2}  {:>5}  {:<{}}  {}\n", p.disjoint ? '*' : ' ',
                 p.dlid, p.offset, p.back ? std::to_string(*p.back) : "-",
                 bits_column(bits.empty() ? "" : bits[i]), p.path.sl, p.path.hops(),
                 vls_text(p.path.vls), vls_width, printable(route_text(fabric, p.path)));
  }
}

Json node_json(const Fabric& fabric, const Node& node) {
  return Json{{"name", node.name},
              {"lid", node.lid},
              {"lids", node.lids},
              {"switch", fabric.node(node.at).name},
              {"port", node.port}};
}

Json to_json(const Fabric& fabric, const Node& source, const Node& destination,
             const std::vector<PairPath>& paths, const std::vector<std::string>& bits) {
  Json list = Json::array();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const PairPath& p = paths[i];
    Json switches = Json::array();
    for (const SwitchId s : p.path.switches) switches.push_back(fabric.node(s).name);
    Json ports = Json::array();
    for (const Channel c : p.path.channels) ports.push_back(fabric.port_name(c));
    list.push_back(Json{{"lid", p.dlid},
                        {"offset", p.offset},
                        {"back", p.back ? Json(*p.back) : Json(nullptr)},
                        {"disjoint", p.disjoint},
                        {"arrives", p.path.arrives()},
                        {"end", end_name(p.path.end)},
                        {"sl", p.path.sl},
                        {"links", p.path.hops()},
                        {"switches", std::move(switches)},
                        {"ports", std::move(ports)},
                        {"vls", p.path.vls}});
    if (!bits.empty()) list.back()["bits"] = bits[i];
  }
  return Json{{"source", node_json(fabric, source)},
              {"destination", node_json(fabric, destination)},
              {"disjoint", std::ranges::count(paths, true, &PairPath::disjoint)},
              {"paths", std::move(list)}};
}

Verdict prove_tables(const PathsFlags& options, const Subject& subject) {
  VerifyOptions asked;
  asked.replies = true;
  // What failed has left the tables as they were, or a plugin is about to repair them.
  asked.any_lid = options.engine.engine.empty();
  Progress progress;
  const Verdict verdict = prove(subject, asked, progress);
  check_bounds(options.engine, verdict);
  return verdict;
}

/// Whether the tables have the grade that --replies asks for; true without that option.
bool has_grade(const PathsFlags& options, const Verdict& verdict) {
  const std::optional<ReplyGrade> grade = verdict.grade();
  return !options.engine.replies || (grade && *grade >= *options.engine.replies);
}

int run_apm(const PathsFlags& options, const Subject& subject, Output& output) {
  std::vector<NamePair> pairs{{options.source, options.destination}};
  if (!options.pairs.empty())
    pairs =
        parse_pairs(read_small_file(options.pairs, "the file of pairs", kMostPairs), options.pairs);
  const Verdict verdict = prove_tables(options, subject);
  const bool graded = has_grade(options, verdict);
  if (!graded) warn(lacking_grade(verdict, *options.engine.replies));
  const int status = report_apm(subject, verdict, pairs, options.json, output);
  return graded ? status : kDoesNotHold;
}

int run_paths(const PathsFlags& options, Output& output) {
  check(options);
  const Subject subject = find_subject(options);
  if (options.apm) return run_apm(options, subject, output);
  const Fabric& fabric = subject.fabric;
  const Node source = find_node(fabric, options.source);
  const Node destination = find_node(fabric, options.destination);
  const auto paths = paths_between(fabric, subject.tables, source, destination);
  if (!options.svg.empty()) write_file(options.svg, draw_paths(fabric, source, destination, paths));
  std::optional<Verdict> verdict;
  if (options.engine.replies) verdict = prove_tables(options, subject);
  const std::vector<std::string> bits = bits_of(options, fabric, destination, paths);
  if (options.json) {
    Json json = to_json(fabric, source, destination, paths, bits);
    if (verdict) json["replies"] = grade_json(*verdict);
    print_json(json, output);
  } else {
    print_table(fabric, source, destination, paths, bits, output);
  }
  const bool graded = !verdict || has_grade(options, *verdict);
  if (!graded) warn(lacking_grade(*verdict, *options.engine.replies));
  // The exit status is that of `verify`, for which a pair without any path is not connected.
  const bool any = std::ranges::any_of(paths, [](const PairPath& p) { return p.path.arrives(); });
  return any && graded ? kDone : kDoesNotHold;
}

}  // namespace

Verb add_paths_verb(CLI::App& program) {
  auto options = std::make_shared<PathsFlags>();
  CLI::App* app = add_verb(program, "paths",
                           "List a pair's LIDs with path, SL and VLs, the disjoint ones first");
  app->add_option("SRC", options->source,
                  "Name or GUID (0x…) of the source, a host or a switch; a\nhost also by its "
                  "switch port (leaf-01:65)")
      ->option_text(" ");
  app->add_option("DST", options->destination, "Name or GUID (0x…) of the destination")
      ->option_text(" ");
  add_fabric_options(*app, options->fabric);
  add_engine_options(*app, options->engine);
  add_text(*app, "--tables", options->tables, "FILE",
           "By the tables of this file (selvedge-tables-1, or what\ndump_fts prints) instead of an "
           "engine's");
  add_text(*app, "--socket", options->socket, "PATH",
           fmt::format("By the tables of the plugin that listens here; what is\nasked if neither "
                       "--engine nor --tables is given\n(default {})",
                       kPluginSocket));
  add_replies_option(*app, options->engine.replies,
                     "Exit status 1 if responses on the request's SL are less\nsafe than this");
  add_text(*app, "--svg", options->svg, "FILE", "Draw the paths into this file (SVG)");
  app->add_flag("--apm", options->apm,
                "Print a primary and an alternate path of a reliable\nconnection, for "
                "ibv_modify_qp; exit status 1 if a pair\nhas no alternate without a common cable")
      ->disable_flag_override();
  add_text(*app, "--pairs", options->pairs, "FILE",
           "With --apm: for each pair of this file, SRC DST on a\nline, instead of one pair");
  add_json(*app, options->json);
  return {app, [options](Output& output) { return run_paths(*options, output); }};
}

}  // namespace selvedge::route
