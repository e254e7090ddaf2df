// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route fabric`: the form of a fabric (which regular topology it is), what looks wrong in
// it, and the fabric as a .net file.
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/progress.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/tree_form.hpp"
#include "plugin/program/report.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/route/census.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/fabric_drawing.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/tree_report.hpp"

namespace selvedge::route {
namespace {

struct FabricFlags {
  FabricOptions fabric;
  HintOptions hints;
  std::string write;
  std::string svg;
  bool json = false;
};

struct Findings {
  Fabric fabric;
  std::vector<std::string> remarks;  // what reading the file remarked
  Census census;
  FabricForm form;
  std::string tree_routing;  // a remark if the engines see another tree than `form`
};

/// dmodk finds a tree by levels and paths, recognise_form() by cables. Returns a remark if the two
/// disagree, else "".
std::string tree_routing(const Fabric& fabric, const LevelHints& hints, const FabricForm& form) {
  using Kind = FabricForm::Kind;
  if (!form.levels || form.kind == Kind::kOneSwitch || form.kind == Kind::kTwoSwitches) return "";
  std::string why;
  const std::optional<FatTree> tree = find_fat_tree(fabric, hints, why);
  if (!tree) return form.kind == Kind::kTree ? why + ": dmodk refuses it" : "";
  if (tree->apart > 0) return describe_apart(fabric, *tree) + ": routed around";
  if (form.kind == Kind::kTree) return "";
  return "this is a fat tree too, and dmodk routes it as one";
}

Findings examine(const FabricFlags& options) {
  Progress progress;
  progress.phase("making the fabric");
  Findings found;
  constexpr std::string_view kFile = "file:";
  if (options.fabric.spec.starts_with(kFile) && options.fabric.spec.size() > kFile.size()) {
    FabricFile file = read_fabric_file(options.fabric.spec.substr(kFile.size()));
    found.fabric = std::move(file.fabric);
    found.remarks = std::move(file.remarks);
  } else {
    found.fabric = make_fabric(options.fabric.spec);
    tell_seed(options.fabric.spec);
  }
  if (!options.fabric.fail.empty())
    found.fabric = without(found.fabric, parse_fault(found.fabric, options.fabric.fail));
  found.census = count(found.fabric);
  progress.phase("looking for a regular topology");
  const LevelHints hints = read_hints(found.fabric, options.hints);
  found.form = recognise_form(found.fabric, hints);
  found.tree_routing = tree_routing(found.fabric, hints, found.form);
  for (std::string& line : contradictions(found.fabric, hints))
    found.remarks.push_back(std::move(line));
  return found;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  const std::string_view ending = count == 1 ? "" : noun.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, ending);
}

template <typename Key>
std::string histogram(const std::map<Key, std::uint32_t>& counts, std::string_view what,
                      std::string_view noun) {
  std::string text;
  for (const auto& [key, number] : counts)
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : "\n", key, what, counted(number, noun));
  return text.empty() ? "none" : text;
}

std::string switch_names(const Labels& labels, const std::vector<SwitchId>& ids) {
  constexpr std::size_t kMost = 8;  // names shown for one component
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kMost); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", labels.of_switch(ids[i]));
  if (ids.size() > kMost) text += fmt::format(" and {} more", ids.size() - kMost);
  return text;
}

std::string pieces_text(const Findings& found) {
  const auto& pieces = found.census.pieces;
  if (pieces.size() == 1) return "1: everything hangs together";
  const Labels labels(found.fabric);
  std::string text = fmt::format("{}", pieces.size());
  constexpr std::size_t kMost = 16;  // most components shown
  for (std::size_t i = 0; i < std::min(pieces.size(), kMost); ++i)
    text += fmt::format("\n{}: {}", counted(pieces[i].size(), "switch"),
                        switch_names(labels, pieces[i]));
  if (pieces.size() > kMost) text += fmt::format("\nand {} more", pieces.size() - kMost);
  return text;
}

void print_sheet(const FabricFlags& options, const Findings& found, Output& output) {
  const Census& census = found.census;
  Sheet sheet;
  sheet.row("fabric", options.fabric.spec);
  sheet.row("switches",
            census.failed_switches == 0
                ? fmt::format("{}", census.switches)
                : fmt::format("{}, and {} failed", census.switches, census.failed_switches));
  std::string hosts = fmt::format("{}", census.hosts);
  if (census.adapters != found.fabric.num_hosts())
    hosts += fmt::format(" ports of {}", counted(census.adapters, "adapter"));
  if (census.unattached_hosts > 0)
    hosts += fmt::format(", and {} without a cable", census.unattached_hosts);
  sheet.row("hosts", hosts);
  sheet.row("links", fmt::format("{} between switches", census.links));
  sheet.row("links a switch", histogram(census.degrees, "", "switch"));
  sheet.row("hosts a switch", histogram(census.hosts_per_switch, "", "switch"));
  sheet.row("rates", histogram(census.rates, "", "link"));
  sheet.row("pieces", pieces_text(found));
  sheet.row("regularity", found.form.describe());
  add_tree_rows(found.fabric, found.form, sheet);
  if (!found.tree_routing.empty()) sheet.row("up, then down", found.tree_routing);
  const std::vector<std::string> wrong = miscabled(found.fabric, found.form);
  sheet.row("miscabled",
            wrong.empty() ? "nothing looks miscabled" : fmt::format("{}", fmt::join(wrong, "\n")));
  if (!found.remarks.empty())
    sheet.row("remarks", fmt::format("{}", fmt::join(found.remarks, "\n")));
  if (!options.write.empty()) sheet.row("written to", options.write);
  if (!options.svg.empty()) sheet.row("drawn into", options.svg);
  sheet.print(output);
}

const char* kind_name(Regularity::Kind kind) {
  switch (kind) {
    case Regularity::Kind::kNone:
      return "none";
    case Regularity::Kind::kTorus:
      return "torus";
    case Regularity::Kind::kMesh:
      return "mesh";
    case Regularity::Kind::kTree:
      return "tree";
  }
  return "none";
}

template <typename Key>
Json counts_json(const std::map<Key, std::uint32_t>& counts) {
  Json json = Json::object();
  for (const auto& [key, number] : counts) json[fmt::format("{}", key)] = number;
  return json;
}

Json regularity_json(const Findings& found) {
  const Fabric& fabric = found.fabric;
  const Regularity& regularity = found.form.regularity;
  // A tree found by its levels has a kind too, but its numbers are written by form_json().
  const bool tree = found.form.kind == FabricForm::Kind::kTree;
  Json json{{"kind", tree ? "tree" : kind_name(regularity.kind)},
            {"description", found.form.describe()}};
  if (regularity.kind == Regularity::Kind::kTree) {
    json["k"] = regularity.k;
    json["n"] = regularity.n;
  } else if (regularity.regular()) {
    json["sizes"] = regularity.sizes;
  }
  Json missing = Json::array();
  for (const auto& [a, b] : regularity.missing)
    missing.push_back({fabric.node(a).name, fabric.node(b).name});
  Json surplus = Json::array();
  for (const Channel c : regularity.surplus)
    surplus.push_back({fabric.port_name(c), fabric.port_name(fabric.peer(c))});
  json["missing_links"] = std::move(missing);
  json["surplus_links"] = std::move(surplus);
  return json;
}

Json to_json(const FabricFlags& options, const Findings& found) {
  const Census& census = found.census;
  const Labels labels(found.fabric);
  Json pieces = Json::array();
  for (const auto& piece : census.pieces) {
    Json names = Json::array();
    // The largest component counts as the fabric itself. The switches of the other components are
    // named.
    if (&piece != &census.pieces.front())
      for (const SwitchId s : piece) names.push_back(labels.of_switch(s));
    pieces.push_back(Json{{"switches", piece.size()}, {"names", std::move(names)}});
  }
  Json json{{"fabric", options.fabric.spec},
            {"switches", census.switches},
            {"failed_switches", census.failed_switches},
            {"hosts", census.hosts},
            {"unattached_hosts", census.unattached_hosts},
            {"adapters", census.adapters},
            {"links", census.links},
            {"degrees", counts_json(census.degrees)},
            {"hosts_per_switch", counts_json(census.hosts_per_switch)},
            {"rates", counts_json(census.rates)},
            {"pieces", std::move(pieces)},
            {"regularity", regularity_json(found)},
            {"form", form_json(found.fabric, found.form)},
            {"miscabled", miscabled(found.fabric, found.form)},
            {"remarks", found.remarks}};
  json["tree_routing"] = found.tree_routing.empty() ? Json(nullptr) : Json(found.tree_routing);
  json["written"] = options.write.empty() ? Json(nullptr) : Json(options.write);
  json["drawn"] = options.svg.empty() ? Json(nullptr) : Json(options.svg);
  return json;
}

}  // namespace

Verb add_fabric_verb(CLI::App& program) {
  auto options = std::make_shared<FabricFlags>();
  CLI::App* app = add_verb(program, "fabric",
                           "Describe a fabric: counts, degrees, regularity, what looks miscabled");
  add_fabric_options(*app, options->fabric);
  add_hint_options(*app, options->hints);
  add_text(*app, "--write", options->write, "FILE", "Write the fabric as an ibsim .net file");
  add_text(*app, "--svg", options->svg, "FILE", "Draw the fabric into this file (SVG)");
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            require(options->fabric.spec, "--fabric", "FABRIC");
            const Findings found = examine(*options);
            if (!options->write.empty()) write_file(options->write, write_net(found.fabric));
            if (!options->svg.empty())
              write_file(options->svg, draw_fabric(found.fabric, found.form));
            if (options->json)
              print_json(to_json(*options, found), output);
            else
              print_sheet(*options, found, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
