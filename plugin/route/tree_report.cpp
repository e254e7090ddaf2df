// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/tree_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/fabric/naming.hpp"

namespace selvedge::route {
namespace {

constexpr std::size_t kMostLines = 28;  // most lines of one row, so that all rows fit on two pages
constexpr std::size_t kMostNames = 6;   // most names in one line

std::string count_of(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNames)));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

std::string page_lines(std::vector<std::string> lines) {
  if (lines.size() > kMostLines + 1) {
    const std::size_t more = lines.size() - kMostLines;
    lines.resize(kMostLines);
    lines.push_back(fmt::format("and {} more (--json lists them)", more));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string port_label(const Fabric& fabric, const Labels& labels, Channel c) {
  return fmt::format("{}:{}", labels.of_switch(fabric.switch_of(c)), fabric.port_of(c));
}

class TreePage {
 public:
  TreePage(const Fabric& fabric, const FabricForm& form, const Labels& labels)
      : fabric_(fabric), form_(form), labels_(labels) {}

  void add(Sheet& sheet) {
    std::vector<std::string> levels, missing, unused_ports, elsewhere, idle, small;
    for (const TreeForm& tree : form_.trees) {
      add_levels(tree, levels);
      for (const TreePair& pair : tree.missing) missing.push_back(pair_line(pair));
      for (const UnusedPortRange& hole : tree.unused_ports)
        unused_ports.push_back(unused_ports_line(tree, hole));
      for (const HostId h : tree.hosts_above) elsewhere.push_back(place_of(h));
      if (!tree.per_switch_nodes.empty()) add_per_switch_nodes(tree, elsewhere);
      for (const SwitchId s : tree.idle_leaves) idle.push_back(labels_.of_switch(s));
      for (const SwitchId s : tree.service_switches) small.push_back(small_line(s));
    }
    const auto row = [&](const char* name, const std::vector<std::string>& lines) {
      if (!lines.empty()) sheet.row(name, page_lines(lines));
    };
    std::vector<std::string> clashes, dead;
    for (const LevelClash& clash : form_.clashes) clashes.push_back(describe(fabric_, clash));
    for (const SwitchId s : form_.dead) dead.push_back(labels_.of_switch(s));
    row("no tree", clashes);
    row("levels", levels);
    row("missing", missing);
    row("unused", unused_ports);
    if (!dead.empty()) sheet.row("without a cable", listed(dead));
    if (!idle.empty()) sheet.row("without hosts", listed(idle));
    row("small switches", small);
    row("not at leaves", elsewhere);
  }

  /// A pair as text: "leaf-01 – spine-09: 0 of 2 cables; unused: leaf-01:33,34 – spine-09:31,32".
  std::string pair_line(const TreePair& pair) const {
    std::string line = fmt::format("{} – {}: {} of {}", labels_.of_switch(pair.lower),
                                   labels_.of_switch(pair.upper), pair.cables,
                                   count_of(pair.usual, "cable", "cables"));
    const auto ports = [&](SwitchId s, const std::vector<PortNum>& numbers) {
      return fmt::format("{}:{}", labels_.of_switch(s), fmt::join(numbers, ","));
    };
    if (!pair.lower_ports.empty() && !pair.upper_ports.empty())
      line += fmt::format("; unused: {} – {}", ports(pair.lower, pair.lower_ports),
                          ports(pair.upper, pair.upper_ports));
    else if (!pair.lower_ports.empty())
      line += "; unused: " + ports(pair.lower, pair.lower_ports);
    else if (!pair.upper_ports.empty())
      line += "; unused: " + ports(pair.upper, pair.upper_ports);
    return line;
  }

  std::string surplus_line(const TreePair& pair) const {
    return fmt::format("{} – {}: {} cables, {} more than usual", labels_.of_switch(pair.lower),
                       labels_.of_switch(pair.upper), pair.cables, pair.cables - pair.usual);
  }

  /// Unused ports as text: "ports 5, 6 of every spine: a leaf may be missing".
  static std::string unused_ports_line(const TreeForm& tree, const UnusedPortRange& hole) {
    const std::size_t to = hole.upward ? hole.level + 1 : hole.level - 1;
    return fmt::format("{} {} of every {}: {} {} may be missing",
                       hole.ports.size() == 1 ? "port" : "ports", fmt::join(hole.ports, ", "),
                       tree.level_name(hole.level, 1),
                       hole.switches == 1 ? "a" : std::to_string(hole.switches),
                       tree.level_name(to, hole.switches));
  }

 private:
  void add_levels(const TreeForm& tree, std::vector<std::string>& lines) const {
    for (std::size_t l = tree.levels.size(); l-- > 0;) {
      const auto& switches = tree.levels[l].switches;
      std::vector<std::string> names;
      for (const SwitchId s : switches) names.push_back(labels_.of_switch(s));
      std::string line = fmt::format("{} {}", switches.size(), tree.level_name(l, switches.size()));
      if (l == 0)
        line += tree.hosts_min == tree.hosts_max
                    ? " with " + count_of(tree.hosts_min, "host", "hosts")
                    : fmt::format(" with {} to {} hosts", tree.hosts_min, tree.hosts_max);
      if (switches.size() > 2)
        line += fmt::format(": {}, {}, … {}", names[0], names[1], names.back());
      else
        line += fmt::format(": {}", fmt::join(names, ", "));
      lines.push_back(std::move(line));
    }
  }

  /// A host and its port as text: "storage-01 at spine-02:9". If its label is that port, its name
  /// is added.
  std::string place_of(HostId h) const {
    const Host& host = fabric_.host(h);
    const std::string place = fmt::format("{}:{}", labels_.of_switch(host.at), host.port);
    if (labels_.of_host(h) != place) return fmt::format("{} at {}", labels_.of_host(h), place);
    return fmt::format("{} ({})", place, host.name);
  }

  void add_per_switch_nodes(const TreeForm& tree, std::vector<std::string>& lines) const {
    std::map<std::string_view, std::vector<HostId>> by_name;
    for (const HostId h : tree.per_switch_nodes) by_name[fabric_.host(h).name].push_back(h);
    for (const auto& [name, hosts] : by_name) {
      std::set<PortNum> ports;
      for (const HostId h : hosts) ports.insert(fabric_.host(h).port);
      lines.push_back(fmt::format(
          "\"{}\" on {}{} switches{}, not counted above; name one as {}", name,
          hosts.size() == tree.num_switches ? "all " : "", hosts.size(),
          ports.size() == 1 ? fmt::format(", at port {}", *ports.begin()) : std::string(),
          labels_.of_host(hosts[0])));
    }
  }

  std::string small_line(SwitchId s) const {
    std::set<SwitchId> to;
    for (const Channel c : fabric_.out(s)) to.insert(fabric_.target(c));
    std::vector<std::string> names;
    for (const SwitchId t : to) names.push_back(labels_.of_switch(t));
    return fmt::format("{} with {}, cabled to {}", labels_.of_switch(s),
                       count_of(fabric_.hosts_at(s).size(), "host", "hosts"), listed(names));
  }

  const Fabric& fabric_;
  const FabricForm& form_;
  const Labels& labels_;
};

class TreeJson {
 public:
  TreeJson(const Fabric& fabric, const Labels& labels) : fabric_(fabric), labels_(labels) {}

  Json of(const TreeForm& tree) const {
    Json levels = Json::array(), stages = Json::array(), unused_ports = Json::array();
    for (std::size_t l = 0; l < tree.levels.size(); ++l)
      levels.push_back(Json{{"name", tree.level_name(l, 2)},
                            {"count", tree.levels[l].switches.size()},
                            {"switches", switches(tree.levels[l].switches)}});
    for (const TreeStage& stage : tree.stages)
      stages.push_back(Json{{"blocks", stage.blocks.size()},
                            {"cables_usual", stage.usual},
                            {"cables_min", stage.cables_min},
                            {"cables_max", stage.cables_max},
                            {"regular", stage.regular}});
    for (const UnusedPortRange& hole : tree.unused_ports)
      unused_ports.push_back(Json{{"level", hole.level},
                                  {"upward", hole.upward},
                                  {"switches", hole.switches},
                                  {"ports", hole.ports}});
    Json json{{"description", tree.describe()},
              {"levels", std::move(levels)},
              {"stages", std::move(stages)},
              {"hosts_min", tree.hosts_min},
              {"hosts_max", tree.hosts_max}};
    json["xgft"] = tree.xgft ? Json{{"m", tree.m}, {"w", tree.w}, {"p", tree.p}} : Json(nullptr);
    json["missing_cables"] = tree.missing_cables;
    json["missing"] = pairs(tree.missing);
    json["surplus_cables"] = tree.surplus_cables;
    json["surplus"] = pairs(tree.surplus);
    Json crossed = Json::array();
    for (const Channel c : tree.crossed)
      crossed.push_back(
          {port_label(fabric_, labels_, c), port_label(fabric_, labels_, fabric_.peer(c))});
    json["crossed"] = std::move(crossed);
    json["missing_switches"] = tree.absent_switches;
    json["unused_ports"] = std::move(unused_ports);
    json["hosts_above_leaves"] = hosts(tree.hosts_above);
    json["per_switch_nodes"] = hosts(tree.per_switch_nodes);
    json["leaves_without_hosts"] = switches(tree.idle_leaves);
    json["small_switches"] = switches(tree.service_switches);
    return json;
  }

  Json switches(const std::vector<SwitchId>& ids) const {
    Json names = Json::array();
    for (const SwitchId s : ids) names.push_back(labels_.of_switch(s));
    return names;
  }

 private:
  Json hosts(const std::vector<HostId>& ids) const {
    Json list = Json::array();
    for (const HostId h : ids) {
      const Host& host = fabric_.host(h);
      list.push_back(Json{{"host", labels_.of_host(h)},
                          {"description", host.name},
                          {"guid", fmt::format("0x{:016x}", host.guid)},
                          {"switch", labels_.of_switch(host.at)},
                          {"port", host.port}});
    }
    return list;
  }

  Json pairs(const std::vector<TreePair>& list) const {
    Json json = Json::array();
    for (const TreePair& pair : list)
      json.push_back(Json{{"lower", labels_.of_switch(pair.lower)},
                          {"upper", labels_.of_switch(pair.upper)},
                          {"cables", pair.cables},
                          {"usual", pair.usual},
                          {"lower_unused_ports", pair.lower_ports},
                          {"upper_unused_ports", pair.upper_ports}});
    return json;
  }

  const Fabric& fabric_;
  const Labels& labels_;
};

const char* kind_name(FabricForm::Kind kind) {
  switch (kind) {
    case FabricForm::Kind::kIrregular:
      return "irregular";
    case FabricForm::Kind::kOneSwitch:
      return "one switch";
    case FabricForm::Kind::kTwoSwitches:
      return "two switches";
    case FabricForm::Kind::kTorus:
      return "torus";
    case FabricForm::Kind::kMesh:
      return "mesh";
    case FabricForm::Kind::kTree:
      return "tree";
  }
  return "irregular";
}

}  // namespace

void add_tree_rows(const Fabric& fabric, const FabricForm& form, Sheet& sheet) {
  const Labels labels(fabric);
  TreePage(fabric, form, labels).add(sheet);
}

std::vector<std::string> miscabled(const Fabric& fabric, const FabricForm& form) {
  std::vector<std::string> lines;
  for (const LevelClash& clash : form.clashes)
    lines.push_back(describe(fabric, clash) + ": no fat tree has such a cable");
  if (form.trees.empty() || !form.by_levels()) {
    const auto& more = form.regularity.suspicions;
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
  }
  const Labels labels(fabric);
  const TreePage page(fabric, form, labels);
  for (const TreeForm& tree : form.trees) {
    lines.insert(lines.end(), tree.suspicions.begin(), tree.suspicions.end());
    for (const TreePair& pair : tree.surplus) lines.push_back(page.surplus_line(pair));
  }
  return lines;
}

Json form_json(const Fabric& fabric, const FabricForm& form) {
  const Labels labels(fabric);
  const TreeJson json(fabric, labels);
  Json pieces = Json::array(), clashes = Json::array();
  for (const TreeForm& tree : form.trees) pieces.push_back(json.of(tree));
  for (const LevelClash& clash : form.clashes)
    clashes.push_back(Json{{"cable",
                            {port_label(fabric, labels, clash.cable),
                             port_label(fabric, labels, fabric.peer(clash.cable))}},
                           {"text", describe(fabric, clash)}});
  return Json{{"kind", kind_name(form.kind)},
              {"description", form.describe()},
              {"trees", std::move(pieces)},
              {"rails", form.rails},
              {"no_tree_because", std::move(clashes)},
              {"switches_without_cable", json.switches(form.dead)}};
}

}  // namespace selvedge::route
