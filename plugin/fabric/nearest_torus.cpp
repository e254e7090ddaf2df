// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/nearest_torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plugin/fabric/regularity_parts.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge {
namespace {

/// The torus with the sizes of a mesh. It also has wraparound cables, from the last coordinate of a
/// dimension to the first.
std::optional<Regularity> closed(const Fabric& fabric, const regularity::PlainGraph& graph,
                                 const Regularity& mesh) {
  if (std::ranges::any_of(mesh.sizes, [](unsigned size) { return size < 3; })) return {};
  Regularity torus = mesh;
  torus.kind = Regularity::Kind::kTorus;
  const std::size_t n = mesh.sizes.size();
  const auto place = [&](SwitchId s, std::size_t first_in) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < n; ++i)
      number = number * mesh.sizes[i] + (i == first_in ? 0 : mesh.coordinates[s * n + i]);
    return number;
  };
  std::size_t places = 1;
  for (const unsigned size : mesh.sizes) places *= size;
  std::vector<SwitchId> switch_at(places, kNoSwitch);
  for (SwitchId s = 0; s < graph.size(); ++s) switch_at[place(s, n)] = s;

  std::vector<regularity::Pair> round;
  for (SwitchId s = 0; s < graph.size(); ++s)
    for (std::size_t i = 0; i < n; ++i) {
      if (mesh.coordinates[s * n + i] + 1u != mesh.sizes[i]) continue;
      const SwitchId first = switch_at[place(s, i)];
      if (first == kNoSwitch) continue;
      round.emplace_back(std::min(s, first), std::max(s, first));
      if (graph.adjacent(s, first)) continue;
      torus.missing.push_back(round.back());
      if (graph.degree(s) > 0 && graph.degree(first) > 0) ++torus.missing_links;
    }
  // Wraparound cables that the fabric has are surplus in the mesh, but not in the torus.
  std::ranges::sort(round);
  std::erase_if(torus.surplus, [&](Channel c) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    return std::ranges::binary_search(round, regularity::Pair{std::min(a, b), std::max(a, b)});
  });
  return torus;
}

}  // namespace

std::optional<Regularity> nearest_torus(const Fabric& fabric) {
  using namespace regularity;
  const PlainGraph graph(fabric);
  std::optional<Regularity> form = recognise_lattice(fabric, graph, Likeness::kNear);
  if (!form || form->kind == Regularity::Kind::kTorus) return form;
  return closed(fabric, graph, *form);
}

std::string nearest_torus_text(const Fabric& fabric) {
  const Regularity form = recognise(fabric);
  if (!form.regular())
    if (const FabricForm tree = recognise_form(fabric); tree.kind == FabricForm::Kind::kTree) {
      const std::string is = tree.describe();
      return (is.starts_with("X") ? "an " : "a ") + is;
    }
  // The article depends on the number: "an 8-ary", "an 11-ary", "an 18-ary", "an 80-ary …".
  const bool vowel = form.kind == Regularity::Kind::kTree &&
                     (form.k == 8 || form.k == 11 || form.k == 18 || form.k / 10 == 8);
  std::string text =
      form.regular() ? (vowel ? "an " : "a ") + form.describe() : "an irregular graph";
  if (form.kind == Regularity::Kind::kTorus || form.kind == Regularity::Kind::kTree) return text;
  if (const auto nearest = nearest_torus(fabric)) text += "; nearest: " + nearest->describe();
  return text;
}

}  // namespace selvedge
