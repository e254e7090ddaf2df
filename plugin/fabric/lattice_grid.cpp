// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/lattice_grid.hpp"

#include <algorithm>

namespace selvedge::regularity {
namespace {

constexpr std::size_t kMostLaidAgain = 64;  // placing takes the square of their number

class GridPlacer {
 public:
  GridPlacer(const PlainGraph& graph, Grid& grid) : graph_(graph), grid_(grid) {}

  /// Gives every switch a place. Returns false if too many have none or a wrong one.
  bool place_switches() {
    for (const SwitchId s : switches_where([&](SwitchId t) { return misplaced(t); })) remove(s);
    if (without_place().size() > std::max<std::size_t>(8, graph_.size() / 10)) return false;
    fill();
    lay_again();
    return true;
  }

 private:
  template <class Condition>
  std::vector<SwitchId> switches_where(Condition condition) const {
    std::vector<SwitchId> found;
    for (SwitchId s = 0; s < graph_.size(); ++s)
      if (condition(s)) found.push_back(s);
    return found;
  }
  std::vector<SwitchId> without_place() const {
    return switches_where(
        [&](SwitchId s) { return grid_.place[s] == Grid::kNowhere && graph_.degree(s) > 0; });
  }
  /// The switches with a place that some neighbour's place is not adjacent to.
  std::vector<SwitchId> stretched() const {
    return switches_where([&](SwitchId s) {
      return grid_.place[s] != Grid::kNowhere && adjacent_neighbours(s) < graph_.degree(s);
    });
  }
  /// Gives all switches without a place one, those first that have most neighbours beside it.
  void fill() {
    std::vector<SwitchId> waiting = without_place();
    while (!waiting.empty()) {
      std::size_t best = 0, most = 0;
      std::uint32_t where = Grid::kNowhere;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto [place, votes] = wanted(waiting[i]);
        if (votes > most) best = i, most = votes, where = place;
      }
      if (most == 0) break;
      put(waiting[best], where);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
    }
    std::uint32_t hole = 0;
    for (SwitchId s = 0; s < graph_.size(); ++s) {
      if (grid_.place[s] != Grid::kNowhere) continue;
      while (grid_.switch_at[hole] != kNoSwitch)
        ++hole;  // there are at least as many places as switches
      put(s, hole);
    }
    improve();
  }
  /// Several switches in a row may be one place too far, which no exchange of two mends. So all
  /// switches with a neighbour elsewhere are placed again, if that leaves fewer of them.
  void lay_again() {
    for (std::vector<SwitchId> before = stretched(); !before.empty();) {
      if (before.size() > std::min<std::size_t>(kMostLaidAgain, graph_.size() / 4)) return;
      const Grid saved = grid_;
      for (const SwitchId s : before) remove(s);
      for (SwitchId s = 0; s < graph_.size(); ++s)  // they hold places that others may need
        if (graph_.degree(s) == 0) remove(s);
      fill();
      std::vector<SwitchId> after = stretched();
      if (after.size() >= before.size()) {
        grid_ = saved;
        return;
      }
      before = std::move(after);
    }
  }
  /// Exchanges two switches, or moves one to a free place, as long as that makes more neighbours
  /// adjacent in the grid.
  void improve() {
    std::vector<SwitchId> queue;
    for (SwitchId s = 0; s < graph_.size(); ++s)
      if (adjacent_neighbours(s) < graph_.degree(s)) queue.push_back(s);
    std::size_t patience = 20 * queue.size();
    for (std::size_t i = 0; i < queue.size() && patience > 0; ++i, --patience) {
      const SwitchId s = queue[i];
      if (adjacent_neighbours(s) == graph_.degree(s)) continue;
      for (const std::uint32_t there : places_beside_neighbours(s)) {
        const std::uint32_t here = grid_.place[s];
        if (there == here) continue;
        const SwitchId other = grid_.switch_at[there];
        const unsigned before =
            adjacent_neighbours(s) + (other == kNoSwitch ? 0 : adjacent_neighbours(other));
        exchange(here, there);
        const unsigned after =
            adjacent_neighbours(s) + (other == kNoSwitch ? 0 : adjacent_neighbours(other));
        if (after > before) {
          queue.push_back(s);
          if (other != kNoSwitch) queue.push_back(other);
          for (const SwitchId t : graph_.neighbours(s))
            if (adjacent_neighbours(t) < graph_.degree(t)) queue.push_back(t);
          break;
        }
        exchange(here, there);
      }
    }
  }
  void exchange(std::uint32_t p, std::uint32_t q) {
    std::swap(grid_.switch_at[p], grid_.switch_at[q]);
    if (grid_.switch_at[p] != kNoSwitch) grid_.place[grid_.switch_at[p]] = p;
    if (grid_.switch_at[q] != kNoSwitch) grid_.place[grid_.switch_at[q]] = q;
  }
  std::vector<std::uint32_t> places_beside_neighbours(SwitchId s) const {
    std::vector<std::uint32_t> places;
    for (const SwitchId t : graph_.neighbours(s)) {
      if (grid_.place[t] == Grid::kNowhere) continue;
      for (std::size_t i = 0; i < grid_.sizes.size(); ++i)
        for (const bool up : {false, true})
          if (const std::uint32_t p = grid_.beside(grid_.place[t], i, up); p != Grid::kNowhere)
            places.push_back(p);
    }
    std::ranges::sort(places);
    return places;
  }
  /// The number of neighbours of this switch that are adjacent to it in the grid.
  unsigned adjacent_neighbours(SwitchId s) const {
    unsigned count = 0;
    for (const SwitchId t : graph_.neighbours(s))
      if (grid_.place[t] != Grid::kNowhere && grid_.touch(grid_.place[s], grid_.place[t])) ++count;
    return count;
  }
  bool misplaced(SwitchId s) const {
    return grid_.place[s] != Grid::kNowhere && 2 * adjacent_neighbours(s) < graph_.degree(s);
  }
  void remove(SwitchId s) {
    grid_.switch_at[grid_.place[s]] = kNoSwitch;
    grid_.place[s] = Grid::kNowhere;
  }
  void put(SwitchId s, std::uint32_t place) {
    grid_.switch_at[place] = s;
    grid_.place[s] = place;
  }
  /// The free place that is adjacent to the places of most neighbours of s, and the number of these
  /// neighbours.
  std::pair<std::uint32_t, std::size_t> wanted(SwitchId s) const {
    std::vector<std::uint32_t> free = places_beside_neighbours(s);
    std::erase_if(free, [&](std::uint32_t p) { return grid_.switch_at[p] != kNoSwitch; });
    std::pair<std::uint32_t, std::size_t> best{Grid::kNowhere, 0};
    for (std::size_t i = 0; i < free.size();) {
      std::size_t j = i;
      while (j < free.size() && free[j] == free[i]) ++j;
      if (j - i > best.second) best = {free[i], j - i};
      i = j;
    }
    return best;
  }

  const PlainGraph& graph_;
  Grid& grid_;
};

}  // namespace

bool place_switches(const PlainGraph& graph, Grid& grid) {
  return GridPlacer(graph, grid).place_switches();
}

void fold_hypercube(Grid& grid) {
  const std::size_t dims = grid.sizes.size();
  if (grid.wrap || dims % 2 != 0 ||
      std::ranges::any_of(grid.sizes, [](unsigned size) { return size != 2; }))
    return;
  // Two dimensions of size 2, a pair, make the ring 00, 01, 11, 10.
  const auto fold = [&](std::uint32_t place) {  // the ring has the stride of its second dimension
    std::uint32_t folded = 0;
    for (std::size_t i = 0; i < dims; i += 2) {
      const unsigned a = grid.coordinate(place, i), b = grid.coordinate(place, i + 1);
      folded += (2 * a + (a ^ b)) * grid.stride[i + 1];
    }
    return folded;
  };
  std::vector<SwitchId> switch_at(grid.places);
  for (std::uint32_t p = 0; p < grid.places; ++p) switch_at[fold(p)] = grid.switch_at[p];
  for (std::uint32_t& place : grid.place) place = fold(place);
  Grid folded{true, {}, {}, grid.places, std::move(switch_at), std::move(grid.place)};
  for (std::size_t i = 0; i < dims; i += 2) {
    folded.sizes.push_back(4);
    folded.stride.push_back(grid.stride[i + 1]);
  }
  grid = std::move(folded);
}

std::vector<Pair> cables(const Grid& grid) {
  std::vector<Pair> pairs;
  for (std::uint32_t p = 0; p < grid.places; ++p) {
    for (std::size_t i = 0; i < grid.sizes.size(); ++i) {
      const std::uint32_t q = grid.beside(p, i, true);
      if (q == Grid::kNowhere) continue;
      const SwitchId a = grid.switch_at[p], b = grid.switch_at[q];
      if (a != kNoSwitch && b != kNoSwitch) pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  return pairs;
}

}  // namespace selvedge::regularity
