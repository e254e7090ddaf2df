// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of PathColumns (path_columns.hpp): which paths move if a switch finds no arc in a column.
#include "plugin/engines/disjoint/path_columns.hpp"

#include <algorithm>
#include <bit>
#include <climits>

namespace selvedge {
namespace {

/// Cost of moving a path that was added to complete a tree; that of any other path is 1.
constexpr std::size_t kStuckPathCost = 4;

}  // namespace

/// Makes room for a switch `stuck` without a path in a column (tree). Arcs of switches that no
/// placed path passes are removed first. If that suffices, the switch's path is placed before them.
/// Else the paths through one of its neighbours (the one with the fewest paths) go into a new
/// column. If no column is free, the sources of these paths get new paths after the switch.
bool PathColumns::free_neighbour(unsigned column, SwitchId stuck) {
  rebuild(column);
  begin_column(column);
  if (const PathCandidates::Path* way = attach_by_path(column, stuck)) {
    now_.placed.push_back({stuck, static_cast<std::uint8_t>(column), false, *way});
    for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
    return true;
  }
  std::vector<std::size_t> fewest, here;
  for (Arc a = graph_.first[stuck]; a < graph_.first[stuck + 1]; ++a) {
    const SwitchId neighbour = graph_.target[a];
    here.clear();
    for (std::size_t i = 0; i < now_.placed.size(); ++i) {
      if (now_.placed[i].column != column) continue;
      bool through = now_.placed[i].source == neighbour;
      for (const Arc arc : candidates_.arcs(now_.placed[i].path))
        through |= graph_.target[arc] == neighbour;
      if (through) here.push_back(i);
    }
    if (!here.empty() && (fewest.empty() || here.size() < fewest.size())) fewest = here;
  }
  if (fewest.empty()) return false;
  if (now_.used < request_.columns) {
    for (const std::size_t i : fewest) now_.placed[i].column = static_cast<std::uint8_t>(now_.used);
    ++now_.used;
    for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
    return true;
  }
  std::vector<SwitchId> displaced;
  for (const std::size_t i : fewest) displaced.push_back(now_.placed[i].source);
  std::erase_if(now_.placed, [&](const PlacedPath& placed) {
    return std::ranges::find(displaced, placed.source) != displaced.end() ||
           (placed.column == column && !placed.counts);
  });
  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  begin_column(column);
  const PathCandidates::Path* way = attach_by_path(column, stuck);
  if (way) now_.placed.push_back({stuck, static_cast<std::uint8_t>(column), false, *way});
  std::ranges::sort(displaced);
  for (auto s = displaced.begin(); s != displaced.end(); ++s)
    if (s == displaced.begin() || *s != *(s - 1)) place_source(*s);
  return true;
}

/// Makes room for a switch `stuck` without a path in a column (tree). Of its candidate paths the
/// switch gets the one with which the fewest paths of other sources conflict. Those paths move to
/// other columns, or else to a new one. If no column is free, their sources get new paths after the
/// switch.
bool PathColumns::displace_paths(unsigned column, SwitchId stuck) {
  const PathCandidates::Set& set = candidates_.from(stuck, kStages[kStages.size() - 2]);
  std::vector<std::size_t> fewest, here;
  std::uint32_t chosen = UINT32_MAX;
  std::size_t least = SIZE_MAX;
  for (std::uint32_t p = 0; p < set.paths.size(); ++p) {
    const std::size_t cost = blocking_paths(stuck, set.paths[p], column, here);
    if (cost > least || (cost == least && set.paths[p].length >= set.paths[chosen].length))
      continue;
    least = cost;
    chosen = p;
    fewest = here;
  }
  if (chosen == UINT32_MAX) return false;
  const PathCandidates::Path way = set.paths[chosen];

  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  std::vector<SwitchId> displaced;
  bool fresh = false;
  for (const std::size_t i : fewest) {
    PlacedPath& placed = now_.placed[i];
    if (!placed.counts) continue;
    ColumnSet free = first_columns(now_.used) & fits(placed.source, candidates_.arcs(placed.path));
    for (const PlacedPath& other : now_.placed)
      if (other.counts && other.source == placed.source) free &= ~column_bit(other.column);
    if (free != 0) {
      placed.column = static_cast<std::uint8_t>(std::countr_zero(free));
      place_path(placed.source, candidates_.arcs(placed.path), placed.column);
    } else if (now_.used < request_.columns) {
      placed.column = static_cast<std::uint8_t>(now_.used);
      fresh = true;
    } else {
      displaced.push_back(placed.source);
    }
  }
  std::size_t at = 0;
  std::erase_if(now_.placed, [&](const PlacedPath& placed) {
    const std::size_t i = at++;
    return std::ranges::find(displaced, placed.source) != displaced.end() ||
           (!placed.counts && std::ranges::binary_search(fewest, i));
  });
  now_.used += fresh;
  now_.placed.push_back({stuck, static_cast<std::uint8_t>(column), false, way});
  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  std::ranges::sort(displaced);
  for (auto s = displaced.begin(); s != displaced.end(); ++s)
    if (s == displaced.begin() || *s != *(s - 1)) place_source(*s);
  return true;
}

/// Sets `blocking` to the paths in this column with which `path` conflicts: some switch would have
/// two next hops. Returns the cost of removing them. Paths that were added to complete the column
/// cost more, because their switches found no arc before.
std::size_t PathColumns::blocking_paths(SwitchId source, const PathCandidates::Path& path,
                                        unsigned column, std::vector<std::size_t>& blocking) {
  wanted_arc_.resize(graph_.num_switches(), kNoArc);
  const std::span<const Arc> arcs = candidates_.arcs(path);
  for (const Arc arc : arcs) wanted_arc_[tail_[arc]] = arc;
  blocking.clear();
  std::size_t cost = 0;
  for (std::size_t i = 0; i < now_.placed.size(); ++i) {
    const PlacedPath& placed = now_.placed[i];
    if (placed.column != column || placed.source == source) continue;
    for (const Arc arc : candidates_.arcs(placed.path)) {
      const Arc wanted = wanted_arc_[tail_[arc]];
      if (wanted == kNoArc || wanted == arc) continue;
      blocking.push_back(i);
      cost += placed.counts ? 1 : kStuckPathCost;
      break;
    }
  }
  for (const Arc arc : arcs) wanted_arc_[tail_[arc]] = kNoArc;
  return cost;
}

/// Removes all arcs of a column (tree) except those of placed paths.
void PathColumns::rebuild(unsigned column) {
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    now_.next[s * request_.columns + column] = kNoArc;
  for (ColumnSet& columns : unset_) columns |= column_bit(column);
  for (ColumnSet& columns : taken_) columns &= ~column_bit(column);
  for (const PlacedPath& placed : now_.placed)
    if (placed.column == column) place_path(placed.source, candidates_.arcs(placed.path), column);
}

}  // namespace selvedge
