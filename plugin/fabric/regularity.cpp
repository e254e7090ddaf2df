// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/regularity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge {
namespace regularity {

PlainGraph::PlainGraph(const Fabric& fabric) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const auto begin = static_cast<std::ptrdiff_t>(neighbour_.size());
    for (const Channel c : fabric.out(s))
      if (fabric.target(c) != s) neighbour_.push_back(fabric.target(c));
    std::sort(neighbour_.begin() + begin, neighbour_.end());
    neighbour_.erase(std::unique(neighbour_.begin() + begin, neighbour_.end()), neighbour_.end());
    first_.push_back(neighbour_.size());
    if (degree(s) == 0) ++isolated_;
  }
}

bool PlainGraph::adjacent(SwitchId a, SwitchId b) const {
  return std::ranges::binary_search(neighbours(a), b);
}

unsigned PlainGraph::common(SwitchId a, SwitchId b) const {
  const auto as = neighbours(a), bs = neighbours(b);
  unsigned shared = 0;
  for (std::size_t i = 0, j = 0; i < as.size() && j < bs.size();) {
    if (as[i] == bs[j])
      ++shared, ++i, ++j;
    else if (as[i] < bs[j])
      ++i;
    else
      ++j;
  }
  return shared;
}

std::size_t tolerated_links(std::size_t form_links, Likeness likeness) {
  if (likeness == Likeness::kNear) return form_links / 4;
  return std::min(std::max<std::size_t>(3, form_links / 10), form_links / 6);
}

std::size_t tolerated_switches(std::size_t form_switches) {
  return form_switches < 15 ? 0 : std::max<std::size_t>(1, form_switches / 20);
}

bool compare(const Fabric& fabric, const PlainGraph& graph, std::vector<Pair> expected,
             std::size_t form_switches, Regularity& form, Likeness likeness) {
  form.missing_switches = static_cast<unsigned>(form_switches - graph.size() + graph.isolated());
  if (form.missing_switches > tolerated_switches(form_switches)) return false;

  const std::size_t limit = tolerated_links(expected.size(), likeness);
  std::ranges::sort(expected);
  for (const Pair& pair : expected) {
    if (graph.adjacent(pair.first, pair.second)) continue;
    form.missing.push_back(pair);
    if (graph.degree(pair.first) > 0 && graph.degree(pair.second) > 0) ++form.missing_links;
  }
  if (form.missing_links > limit) return false;
  for (const Channel c : fabric.links()) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (!std::ranges::binary_search(expected, Pair{std::min(a, b), std::max(a, b)}))
      form.surplus.push_back(c);
  }
  return form.surplus.size() <= limit;
}

std::size_t damage(const Regularity& form) {
  return form.missing.size() + form.surplus.size() + form.missing_switches;
}

namespace {

/// Whether every attached host is at level 0, and there is at least one.
bool hosts_at_leaves(const Fabric& fabric, const Regularity& tree) {
  bool any = false;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!fabric.attached(h)) continue;
    if (tree.level[fabric.host(h).at] != 0) return false;
    any = true;
  }
  return any;
}

}  // namespace
}  // namespace regularity

Regularity recognise(const Fabric& fabric) {
  using namespace regularity;
  const PlainGraph graph(fabric);
  if (graph.size() == 1) {
    Regularity lone;
    lone.kind = Regularity::Kind::kMesh;
    lone.sizes = {1};
    lone.coordinates = {0};
    lone.surplus.assign(fabric.links().begin(), fabric.links().end());  // these are loopback cables
    lone.suspicions = suspect(fabric, lone);
    return lone;
  }
  std::optional<Regularity> lattice = recognise_lattice(fabric, graph);
  std::optional<Regularity> tree = recognise_tree(fabric, graph);
  // A ring of four switches with hosts at two opposite ones is also a 2-ary 2-tree. Which of the
  // two it is depends on the hosts.
  const bool tree_wins =
      tree && (!lattice || damage(*tree) < damage(*lattice) ||
               (damage(*tree) == damage(*lattice) && hosts_at_leaves(fabric, *tree)));
  Regularity found = tree_wins ? std::move(*tree) : lattice ? std::move(*lattice) : Regularity{};
  found.suspicions = suspect(fabric, found);
  return found;
}

std::string Regularity::describe() const {
  std::string text;
  switch (kind) {
    case Kind::kNone:
      return "irregular";
    case Kind::kTorus:
      text = fmt::format("torus {}", fmt::join(sizes, "x"));
      break;
    case Kind::kMesh:
      text = fmt::format("mesh {}", fmt::join(sizes, "x"));
      break;
    case Kind::kTree:
      text = fmt::format("{}-ary {}-tree", k, n);
      break;
  }
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) text += fmt::format(", {} {}", count, count == 1 ? one : many);
  };
  add(missing_switches, "switch missing", "switches missing");
  add(missing_links, "link missing", "links missing");
  add(surplus.size(), "link out of place", "links out of place");
  return text;
}

}  // namespace selvedge
