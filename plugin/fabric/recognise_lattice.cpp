// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises tori and meshes. From a switch whose neighbourhood looks undamaged, a seed, the graph
// is unrolled (lattice_growth.hpp). Cables between places that are not adjacent then give the
// sizes. In a torus most such cables of dimension i lead over size − 1 steps in that dimension
// alone. In a mesh there are none, and the extent is the size. Positions modulo the sizes give
// every switch its place. The few switches that remain are put next to most of their neighbours.
// The result is compared with the torus or mesh, cable by cable. Several seeds are tried, because
// there may be damage near one of them.
#include <algorithm>
#include <cstdlib>

#include "plugin/fabric/lattice_grid.hpp"
#include "plugin/fabric/lattice_growth.hpp"
#include "plugin/fabric/lattice_names.hpp"
#include "plugin/fabric/regularity_parts.hpp"

namespace selvedge::regularity {
namespace {

/// The most switches from which recognition is tried (seeds), and the number of recognised lattices
/// (forms) after which it stops. Small fabrics cost little and have few undamaged places, so more
/// are tried there.
struct Effort {
  std::size_t seeds, forms;
};
Effort effort(const PlainGraph& graph) {
  return graph.size() <= 256 ? Effort{24, 24} : graph.size() <= 2048 ? Effort{12, 8} : Effort{8, 4};
}

/// The neighbours of a switch, sorted as in Star. Returns nullopt if they cannot be those of a
/// switch in a torus or mesh.
std::optional<Star> look_around(const PlainGraph& graph, SwitchId s) {
  const auto around = graph.neighbours(s);
  if (around.empty() || around.size() > kMaxLatticeDegree) return std::nullopt;
  std::array<SwitchId, kMaxLatticeDegree> opposite;
  opposite.fill(kNoSwitch);
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (std::size_t j = i + 1; j < around.size(); ++j) {
      const unsigned common = graph.common(around[i], around[j]);
      if (common == 2) continue;
      if (common > 2 || opposite[i] != kNoSwitch || opposite[j] != kNoSwitch) return std::nullopt;
      opposite[i] = around[j];
      opposite[j] = around[i];
    }
  }
  Star star;
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (opposite[i] == kNoSwitch)
      star.alone.push_back(around[i]);
    else if (around[i] < opposite[i])
      star.opposite.emplace_back(around[i], opposite[i]);
  }
  return star;
}

/// Chooses a few seeds, mostly spread evenly over the switches with the most neighbours.
std::vector<SwitchId> choose_seeds(const PlainGraph& graph, std::size_t most) {
  std::vector<SwitchId> clean;
  for (SwitchId s = 0; s < graph.size(); ++s)
    if (look_around(graph, s)) clean.push_back(s);
  std::ranges::stable_sort(
      clean, [&](SwitchId a, SwitchId b) { return graph.degree(a) > graph.degree(b); });
  if (clean.size() <= most) return clean;
  std::size_t top = 0;
  while (top < clean.size() && graph.degree(clean[top]) == graph.degree(clean[0])) ++top;
  std::vector<SwitchId> seeds;
  const std::size_t first = std::min(top, most * 3 / 4);
  for (std::size_t i = 0; i < first; ++i) seeds.push_back(clean[i * top / first]);
  for (std::size_t i = top; i < clean.size() && seeds.size() < most; ++i) seeds.push_back(clean[i]);
  return seeds;
}

/// The unrolled graph as a torus or mesh; `sizes` is empty if it is neither.
struct Sizes {
  bool wrap = false;
  std::vector<unsigned> sizes;
  std::vector<std::int32_t> lowest;  // per dimension: the lowest position
};

/// Cables missing along an edge may have moved half of the edge one place out. So while the mesh
/// has more places than it may, the outermost slab that has most room is cut off, if it has room
/// for a third of its switches. `slabs`: [i][x] as in measure().
void cut_ragged_edge(std::size_t switches, const std::vector<std::vector<std::uint32_t>>& slabs,
                     std::vector<std::size_t>& from, std::vector<unsigned>& sizes) {
  while (true) {
    std::uint64_t places = 1;
    for (const unsigned size : sizes)
      if ((places *= size) > 2 * switches) return;
    if (places <= switches + tolerated_switches(places)) return;
    std::uint64_t most = 0;  // the share of the slab that is free, times `places`
    std::size_t which = 0;
    bool low = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] < 3) continue;
      const std::uint64_t full = places / sizes[i];
      for (const bool first : {false, true}) {
        const std::uint64_t there = slabs[i][first ? from[i] : from[i] + sizes[i] - 1];
        const std::uint64_t room = there >= full ? 0 : (full - there) * places / full;
        if (room > most) most = room, which = i, low = first;
      }
    }
    if (most * 3 < places) return;
    --sizes[which];
    from[which] += low ? 1 : 0;
  }
}

Sizes measure(const PlainGraph& graph, const LatticeGrowth& growth) {
  const unsigned dims = growth.dimensions();
  // [i][d]: cables with a difference of d in dimension i
  std::vector<std::vector<std::uint32_t>> jump(dims);
  // [i][x]: switches at position lowest + x in dimension i
  std::vector<std::vector<std::uint32_t>> slab(dims);
  std::vector<std::int32_t> lowest(dims, 0), highest(dims, 0);
  for (SwitchId s = 0; s < graph.size(); ++s) {
    if (!growth.placed(s)) continue;
    for (unsigned i = 0; i < dims; ++i) {
      lowest[i] = std::min(lowest[i], growth.position(s)[i]);
      highest[i] = std::max(highest[i], growth.position(s)[i]);
    }
  }
  for (unsigned i = 0; i < dims; ++i) {
    jump[i].assign(static_cast<std::size_t>(highest[i] - lowest[i] + 1), 0);
    slab[i].assign(jump[i].size(), 0);
  }
  for (SwitchId s = 0; s < graph.size(); ++s) {
    if (!growth.placed(s)) continue;
    const auto p = growth.position(s);
    for (unsigned i = 0; i < dims; ++i) ++slab[i][static_cast<std::size_t>(p[i] - lowest[i])];
    for (const SwitchId t : graph.neighbours(s)) {
      if (t < s || !growth.placed(t)) continue;
      const auto q = growth.position(t);
      unsigned changed = 0, last = 0;
      for (unsigned i = 0; i < dims; ++i)
        if (p[i] != q[i]) ++changed, last = i;
      if (changed == 1) ++jump[last][static_cast<std::size_t>(std::abs(p[last] - q[last]))];
    }
  }

  Sizes found;
  unsigned wraps = 0;
  std::vector<std::size_t> from(dims, 0);  // per dimension of a mesh: its first slab
  for (unsigned i = 0; i < dims; ++i) {
    // In a ring of size k, 1/k of the cables wrap around. Half as many are taken as evidence of a
    // ring.
    std::uint32_t best = 0;
    unsigned size = 0;
    for (std::size_t d = 2; d < jump[i].size(); ++d)
      if (jump[i][d] > best) best = jump[i][d], size = static_cast<unsigned>(d + 1);
    if (best > 0 && std::uint64_t{best} * size * 2 >= growth.num_placed()) {
      ++wraps;
      found.sizes.push_back(size);
      continue;
    }
    // A few switches may have a wrong position beyond a mesh's edge. A slab of such positions is
    // less than half full, and is cut off.
    std::size_t to = slab[i].size();
    while (to - from[i] > 1 && slab[i][from[i]] * (to - from[i]) * 2 < growth.num_placed())
      ++from[i];
    while (to - from[i] > 1 && slab[i][to - 1] * (to - from[i]) * 2 < growth.num_placed()) --to;
    found.sizes.push_back(static_cast<unsigned>(to - from[i]));
  }
  if (wraps != 0 && wraps != dims) return {};
  found.wrap = wraps != 0;
  if (!found.wrap) cut_ragged_edge(graph.size(), slab, from, found.sizes);
  for (unsigned i = 0; i < dims; ++i) lowest[i] += static_cast<std::int32_t>(from[i]);
  found.lowest = lowest;
  return found;
}

std::optional<Grid> lay_out(const PlainGraph& graph, const LatticeGrowth& growth) {
  const Sizes measured = measure(graph, growth);
  if (measured.sizes.empty()) return std::nullopt;
  Grid grid{measured.wrap, measured.sizes, {}, 1, {}, {}};
  grid.stride.assign(grid.sizes.size(), 1);
  std::uint64_t places = 1;
  for (std::size_t i = grid.sizes.size(); i-- > 0;) {
    grid.stride[i] = static_cast<std::uint32_t>(places);
    places *= grid.sizes[i];
    if (places > 2 * std::uint64_t{graph.size()}) return std::nullopt;
  }
  if (places < graph.size() || places - graph.size() > tolerated_switches(places))
    return std::nullopt;
  grid.places = static_cast<std::uint32_t>(places);
  grid.switch_at.assign(places, kNoSwitch);
  grid.place.assign(graph.size(), Grid::kNowhere);
  for (SwitchId s = 0; s < graph.size(); ++s) {
    if (!growth.placed(s)) continue;
    std::uint32_t place = 0;
    bool inside = true;
    for (std::size_t i = 0; i < grid.sizes.size(); ++i) {
      const auto size = static_cast<std::int32_t>(grid.sizes[i]);
      std::int32_t x = growth.position(s)[i] - measured.lowest[i];
      if (grid.wrap) x = (x % size + size) % size;
      inside = inside && x >= 0 && x < size;
      place += static_cast<std::uint32_t>(x) * grid.stride[i];
    }
    if (!inside || grid.switch_at[place] != kNoSwitch) continue;
    grid.switch_at[place] = s;
    grid.place[s] = place;
  }
  if (!place_switches(graph, grid)) return std::nullopt;
  fold_hypercube(grid);
  return grid;
}

}  // namespace

std::optional<Regularity> recognise_lattice(const Fabric& fabric, const PlainGraph& graph,
                                            Likeness likeness) {
  std::optional<Regularity> best;
  std::size_t forms = 0;
  const Effort enough = effort(graph);
  for (const SwitchId seed : choose_seeds(graph, enough.seeds)) {
    if (forms >= enough.forms) break;
    const Star star = *look_around(graph, seed);
    for (const bool fours : {true, false}) {
      if (fours && (star.alone.empty() || star.alone.size() % 2 != 0)) continue;
      const LatticeGrowth growth(graph, seed, star, fours);
      if (growth.num_placed() * 10 < (graph.size() - graph.isolated()) * 8) continue;
      std::optional<Grid> grid = lay_out(graph, growth);
      if (!grid) continue;
      Regularity form;
      form.kind = grid->wrap ? Regularity::Kind::kTorus : Regularity::Kind::kMesh;
      if (!compare(fabric, graph, cables(*grid), grid->places, form, likeness)) continue;
      ++forms;
      if (best && std::pair(damage(form), grid->sizes.size()) >=
                      std::pair(damage(*best), best->sizes.size()))
        continue;
      name_places(std::move(*grid), form);
      best = std::move(form);
      if (best->complete()) return best;
    }
  }
  return best;
}

}  // namespace selvedge::regularity
