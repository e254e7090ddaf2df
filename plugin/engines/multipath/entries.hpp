// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multipath forwarding table (Kim 2007 §3.3): for each switch and each string of path bits, the
// cable towards one destination. A don't-care bit of a path stands for both values.
//
// The paper's rules leave entries open. Two paths of a pair may have the same bits and begin with
// different cables: the shorter path is taken, then the lower port. No path may have some bits
// (a hole): the entry is that of the default path. And entries of different switches may send a
// packet in a circle: such entries are replaced by the default path's, until none is left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/multipath/path_bits.hpp"

namespace selvedge::multipath {

/// Which cycles have a bit in the tables. A cycle without one counts as 0 in every string.
struct KeptBits {
  std::vector<std::uint32_t> cycles;  // ascending; the first is the string's highest bit
  std::vector<std::uint8_t> place;    // per cycle: its bit in a string, or kDropped
  static constexpr std::uint8_t kDropped = 255;

  std::uint32_t strings() const { return std::uint32_t{1} << cycles.size(); }
};
inline constexpr std::uint32_t kMostKept = 16;

/// Keeps bits of `cycles` cycles, at most `bits`. `ones`: per cycle, the paths that have a 1 there,
/// which are lost without its bit. The cycles with most of them are kept.
KeptBits keep_bits(std::uint32_t cycles, std::uint32_t bits, std::span<const std::uint64_t> ones);

struct EntryCounts {
  std::uint64_t strings = 0;    // (source, string) pairs
  std::uint64_t holes = 0;      // of these, without any path
  std::uint64_t conflicts = 0;  // of these, with paths that begin with different cables
  std::uint64_t paths = 0;
  std::uint64_t undefined = 0;  // paths without bits, since their union is undefined

  EntryCounts& operator+=(const EntryCounts& other);
};

/// The entries towards one destination, before default paths are filled in.
struct Entries {
  std::vector<Edge> edge;  // [switch][string]; kNoEdge: a hole, or the destination itself
  std::uint32_t strings = 1;
  EntryCounts counts;

  Edge at(SwitchId s, std::uint32_t string) const {
    return edge[static_cast<std::size_t>(s) * strings + string];
  }
};
Entries make_entries(const SimpleGraph& graph, const Cycles& cycles, const KeptBits& kept,
                     const PathsTo& paths);

/// One string's column: per switch its arc to the destination, with `fallback` in holes and
/// wherever packets would go in a circle. Returns how many entries were replaced for that reason.
/// `fallback` must lead every switch to the destination.
std::uint32_t make_column(const SimpleGraph& graph, const SwitchGraph& arcs, const Entries& entries,
                          std::uint32_t string, std::span<const Arc> fallback,
                          std::vector<Arc>& column);

/// How many entries the table of switch `s` needs for this destination if don't-care bits are
/// combined: two for each bit that some entry depends on.
std::uint32_t combined_entries(const Entries& entries, SwitchId s);

}  // namespace selvedge::multipath
