// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/program/subject.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/error.hpp"
#include "base/program.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/verify/further.hpp"

namespace selvedge {
namespace {

SwitchId find_root(const Fabric& fabric, const std::string& name) {
  const SwitchId root = name_switch(fabric, name);
  if (root == kNoSwitch)
    throw InputError("no such switch in this fabric", fmt::format("--root '{}'", name),
                     "name a switch; 'selvedge-route fabric --write FILE' shows them all");
  if (fabric.node(root).failed)
    throw InputError("the root has failed", fmt::format("--root '{}'", name),
                     "choose a switch that --fail does not name");
  return root;
}

/// Refuses a file of roots together with a root or a spanning tree: an engine with a spanning tree
/// has one root, and does not use levels.
void check_root(const EngineOptions& options) {
  if (options.hints.roots.empty()) return;
  if (!options.root.empty())
    throw InputError("a root and a file of roots cannot both be given", "--root and --roots",
                     "leave out --root where the fabric is a tree, else --roots");
  if (options.tree.value_or(EngineRequest::Tree::kBest) != EngineRequest::Tree::kBest)
    throw InputError("a spanning tree has one root", "--tree and --roots",
                     "leave out --tree where the fabric is a tree, else --roots");
}

/// Refuses a paper's tables of an engine whose only tables are proved. Those of spf never are.
void check_paper(const EngineOptions& options) {
  if (options.paper && options.engine != "multipath" && options.engine != "spf")
    throw InputError("only multipath and spf have a paper's unproved tables",
                     fmt::format("engine {}", options.engine),
                     "leave out paper, or choose one of these engines");
}

Fabric left_of(const Fabric& whole, const std::vector<std::string>& fail) {
  return fail.empty() ? whole : without(whole, parse_fault(whole, fail));
}

/// Thrown by the report of an engine's progress when its deadline has passed.
struct DeadlinePassed {
  std::uint64_t done, total;  // destination switches
};

/// The engine's tables; those of updn if the engine is not ready after `deadline_ms`. updn itself
/// has no deadline, because nothing could replace it.
Routing compute_within(const std::optional<unsigned>& deadline_ms, const Engine& engine,
                       const Fabric& fabric, EngineRequest& request, Progress& progress) {
  const Engine& interim = find_engine("updn");
  const bool limited = deadline_ms && &engine != &interim;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(deadline_ms.value_or(0));
  request.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.advance(done);
    if (limited && std::chrono::steady_clock::now() > end) throw DeadlinePassed{done, total};
  };
  try {
    return compute_with_replies(engine, fabric, request);
  } catch (const DeadlinePassed& late) {
    request.progress = [&](std::uint64_t done, std::uint64_t) { progress.advance(done); };
    progress.phase("computing updn", fabric.num_switches(), "switches");
    Routing routing = compute_with_replies(interim, fabric, request);
    routing.chosen = interim.name;
    routing.reason = fmt::format("{} was not ready after {} ms ({} of {} switches)", engine.name,
                                 *deadline_ms, late.done, late.total);
    routing.remarks.push_back(routing.reason + ": these are the tables of updn");
    return routing;
  }
}

void add_remarks(Subject& subject, std::vector<std::string> of_file) {
  subject.remarks = std::move(of_file);
  if (subject.further.empty()) return;
  subject.remarks.push_back(fmt::format(
      "{} paths (switch, LID) have several SLs, each of which is proved; figures are of "
      "the first",
      subject.further.count()));
}

}  // namespace

void tell_seed(const std::string& spec) {
  constexpr std::string_view kRandom = "irregular:", kSeed = "seed=";
  if (!spec.starts_with(kRandom)) return;
  const std::size_t at = spec.find(kSeed);
  const std::string given = at == std::string::npos ? "1" : spec.substr(at + kSeed.size());
  note("seed " + given.substr(0, given.find(',')));
}

Fabric make_left(const FabricOptions& options, const EngineOptions& engine, Progress& progress) {
  const Engine& found = find_engine(engine.engine);
  progress.phase("making the fabric");
  const auto wanted = [&](const Fabric& bare) {
    return wanted_lmc(found, bare, engine.replies.value_or(ReplyGrade::kOwnSl));
  };
  const Fabric whole = engine.lmc ? make_fabric(options.spec, engine.lmc)
                                  : make_fabric_choosing_lmc(options.spec, wanted);
  return left_of(whole, options.fail);
}

Subject compute(const FabricOptions& fabric, const EngineOptions& options, Progress& progress) {
  Fabric left = make_left(fabric, options, progress);
  tell_seed(fabric.spec);
  return compute_on(std::move(left), options, progress);
}

Subject compute_on(Fabric fabric, const EngineOptions& options, Progress& progress) {
  const Engine& engine = find_engine(options.engine);
  check_root(options);
  check_paper(options);
  Subject subject;
  subject.fabric = std::move(fabric);
  EngineRequest request;
  request.max_vls = options.max_vls.value_or(request.max_vls);
  request.max_sls = options.max_sls.value_or(request.max_sls);
  request.fill_vls = options.fill_vls;
  request.replies = options.replies.value_or(request.replies);
  request.tree = options.tree.value_or(request.tree);
  request.paper = options.paper;
  if (!options.root.empty()) request.root = find_root(subject.fabric, options.root);
  request.hints = read_hints(subject.fabric, options.hints);

  progress.phase(fmt::format("computing {}", engine.name), subject.fabric.num_switches(),
                 "switches");
  const auto began = std::chrono::steady_clock::now();
  Routing routing = compute_within(options.deadline_ms, engine, subject.fabric, request, progress);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  subject.compute_ms = took.count();
  subject.tables = std::move(routing.tables);
  subject.remarks = std::move(routing.remarks);
  subject.chosen = std::move(routing.chosen);
  subject.reason = std::move(routing.reason);
  for (std::string& line : contradictions(subject.fabric, request.hints))
    subject.remarks.push_back(std::move(line));
  if (routing.multicast)
    subject.tables.mft[kBroadcastMlid] = broadcast_tree(subject.fabric, *routing.multicast);
  subject.multicast = std::move(routing.multicast);
  return subject;
}

VerifyOptions asked_of(const EngineOptions& options) {
  VerifyOptions asked;
  asked.replies = options.replies.has_value();
  asked.grade = options.replies.value_or(asked.grade);
  return asked;
}

Verdict prove(const Subject& subject, VerifyOptions asked, Progress& progress) {
  const std::uint64_t lids = subject.tables.top_lid() + std::uint64_t{1};
  progress.phase("proving the tables",
                 lids + (asked.disjoint != 0 ? subject.fabric.num_hosts() : 0), "LIDs");
  asked.progress = [&](std::uint64_t done, std::uint64_t) { progress.advance(done); };
  if (subject.further.empty()) return verify(subject.fabric, subject.tables, asked).verdict();
  return verify(subject.fabric, subject.tables, subject.further, asked).verdict();
}

void check_bounds(const EngineOptions& options, const Verdict& verdict) {
  auto check = [](const std::optional<unsigned>& most, unsigned used, const char* what,
                  const char* option) {
    if (most && used > *most)
      throw InputError(
          fmt::format("the tables use {} {}, and the ports have {}", used, what, *most), option,
          fmt::format("give {} or more, or other tables", used));
  };
  check(options.max_vls, verdict.vls_used, "VLs", "--max-vls");
  check(options.max_sls, verdict.sls_used, "SLs", "--max-sls");
}

Subject read_subject(const FabricOptions& options, const std::string& path, Progress& progress) {
  progress.phase("reading the tables");
  Subject subject;
  if (options.spec.empty()) {
    TablesFile file = read_tables_file(path);
    subject.fabric = left_of(file.fabric, options.fail);
    subject.tables = std::move(file.tables);
    subject.further = std::move(file.further);
    add_remarks(subject, std::move(file.remarks));
    return subject;
  }
  const Fabric whole = make_fabric(options.spec);
  TablesFile file = read_tables_file(path, &whole);
  // Faults are named in the whole fabric, because they may include what the fabric in the file has
  // lost already.
  subject.fabric = options.fail.empty() ? std::move(file.fabric)
                                        : without(file.fabric, parse_fault(whole, options.fail));
  subject.tables = std::move(file.tables);
  subject.further = std::move(file.further);
  add_remarks(subject, std::move(file.remarks));
  return subject;
}

void require_one_sl(const FurtherSls& further, const std::string& path, const std::string& what) {
  if (!further.empty())
    throw InputError(fmt::format("{} of the paths have several SLs", further.count()), path,
                     fmt::format("{} takes tables with one SL for each path", what));
}

}  // namespace selvedge
