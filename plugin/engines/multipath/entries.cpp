// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/entries.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace selvedge::multipath {
namespace {

/// What a path's list means for the strings: they must equal `value` where `fixed` is set.
struct Pattern {
  std::uint32_t value = 0, fixed = 0;
  bool kept = true;  // false: the path has a 1 where every string counts as 0
};

Pattern pattern_of(const CycleList& list, const KeptBits& kept) {
  Pattern pattern;
  for (const std::int32_t member : list) {
    const std::uint8_t place = kept.place[static_cast<std::size_t>(std::abs(member)) - 1];
    if (place == KeptBits::kDropped) {
      pattern.kept = pattern.kept && member < 0;
      continue;
    }
    pattern.fixed |= 1u << place;
    if (member > 0) pattern.value |= 1u << place;
  }
  return pattern;
}

}  // namespace

KeptBits keep_bits(std::uint32_t cycles, std::uint32_t bits, std::span<const std::uint64_t> ones) {
  KeptBits kept;
  kept.cycles.resize(cycles);
  std::iota(kept.cycles.begin(), kept.cycles.end(), 0u);
  if (bits < cycles) {
    std::ranges::stable_sort(kept.cycles, std::greater<>(),
                             [&](std::uint32_t c) { return ones.empty() ? 0 : ones[c]; });
    kept.cycles.resize(bits);
    std::ranges::sort(kept.cycles);
  }
  kept.place.assign(cycles, KeptBits::kDropped);
  for (std::size_t i = 0; i < kept.cycles.size(); ++i)
    kept.place[kept.cycles[i]] = static_cast<std::uint8_t>(kept.cycles.size() - 1 - i);
  return kept;
}

EntryCounts& EntryCounts::operator+=(const EntryCounts& other) {
  strings += other.strings;
  holes += other.holes;
  conflicts += other.conflicts;
  paths += other.paths;
  undefined += other.undefined;
  return *this;
}

Entries make_entries(const SimpleGraph& graph, const Cycles& cycles, const KeptBits& kept,
                     const PathsTo& paths) {
  Entries entries;
  entries.strings = kept.strings();
  const std::size_t cells = std::size_t{graph.num_switches()} * entries.strings;
  entries.edge.assign(cells, kNoEdge);
  std::vector<std::uint32_t> hops(cells, 0);
  std::vector<std::uint8_t> conflict(cells, 0);
  std::vector<Edge> path;
  for (std::uint32_t i = 1; i < paths.paths.size(); ++i) {
    ++entries.counts.paths;
    paths.edges(i, path);
    const std::optional<CycleList> list = path_list(cycles, path);
    if (!list) {
      ++entries.counts.undefined;
      continue;
    }
    const Pattern pattern = pattern_of(*list, kept);
    if (!pattern.kept) continue;
    const PathTo& taken = paths.paths[i];
    const std::size_t row = static_cast<std::size_t>(taken.from) * entries.strings;
    const std::uint32_t open = (entries.strings - 1) & ~pattern.fixed;
    // Every subset of the open bits, the full one last.
    for (std::uint32_t bits = 0;; bits = (bits - open) & open) {
      const std::size_t cell = row + (pattern.value | bits);
      Edge& edge = entries.edge[cell];
      if (edge == kNoEdge) {
        edge = taken.edge;
        hops[cell] = taken.hops;
      } else if (edge != taken.edge) {
        conflict[cell] = 1;
        // Paths come by length; edges are numbered by port.
        if (hops[cell] == taken.hops) edge = std::min(edge, taken.edge);
      }
      if (bits == open) break;
    }
  }
  for (SwitchId s = 0; s < graph.num_switches(); ++s) {
    if (paths.of[s] == 0) continue;
    const auto row = entries.edge.begin() + static_cast<std::ptrdiff_t>(s) * entries.strings;
    entries.counts.strings += entries.strings;
    entries.counts.holes +=
        static_cast<std::uint64_t>(std::count(row, row + entries.strings, kNoEdge));
  }
  entries.counts.conflicts = static_cast<std::uint64_t>(std::ranges::count(conflict, 1));
  return entries;
}

std::uint32_t make_column(const SimpleGraph& graph, const SwitchGraph& arcs, const Entries& entries,
                          std::uint32_t string, std::span<const Arc> fallback,
                          std::vector<Arc>& column) {
  const std::uint32_t switches = graph.num_switches();
  column.assign(fallback.begin(), fallback.end());
  std::vector<std::uint8_t> own(switches, 0);
  for (SwitchId s = 0; s < switches; ++s) {
    const Edge e = entries.at(s, string);
    if (e == kNoEdge || fallback[s] == kNoArc) continue;
    column[s] = graph.arc[e];
    own[s] = 1;
  }
  // A switch's walk ends where an earlier one passed. If it meets itself, the switches from there
  // on are a circle; at least one of them has an entry of its own, since default paths arrive.
  std::uint32_t replaced = 0;
  std::vector<SwitchId> walk_of(switches);
  for (bool again = true; again;) {
    again = false;
    std::ranges::fill(walk_of, kNoSwitch);
    for (SwitchId start = 0; start < switches; ++start) {
      SwitchId s = start;
      while (walk_of[s] == kNoSwitch) {
        walk_of[s] = start;
        if (column[s] == kNoArc) break;
        s = arcs.target[column[s]];
      }
      if (walk_of[s] != start || column[s] == kNoArc) continue;
      again = true;
      const SwitchId first = s;
      std::vector<SwitchId> circle;
      do {
        circle.push_back(s);
        s = arcs.target[column[s]];
      } while (s != first);
      for (const SwitchId on : circle) {
        if (own[on] == 0) continue;
        own[on] = 0;
        column[on] = fallback[on];
        ++replaced;
      }
    }
  }
  return replaced;
}

std::uint32_t combined_entries(const Entries& entries, SwitchId s) {
  std::uint32_t needed = 1;
  for (std::uint32_t bit = 1; bit < entries.strings; bit *= 2)
    for (std::uint32_t string = 0; string < entries.strings; ++string)
      if (entries.at(s, string) != entries.at(s, string ^ bit)) {
        needed *= 2;
        break;
      }
  return needed;
}

}  // namespace selvedge::multipath
