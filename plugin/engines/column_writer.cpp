// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/column_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace selvedge {

namespace {

/// For each set of the SLs 0…3: a number with a 1 in the 16-bit field of each SL in the set.
constexpr std::array<std::uint64_t, 16> kOnePerSl = [] {
  std::array<std::uint64_t, 16> result{};
  for (unsigned set = 0; set < 16; ++set)
    for (unsigned sl = 0; sl < 4; ++sl)
      if (set >> sl & 1u) result[set] |= std::uint64_t{1} << (16 * sl);
  return result;
}();

}  // namespace

ColumnWriter::ColumnWriter(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules)
    : fabric_(fabric),
      graph_(graph),
      rules_(rules),
      tables_(fabric),
      on_vl1_(fabric.num_switches()),
      hops_(fabric.num_switches()) {
  write_sl2vl(fabric, graph, rules, tables_);
}

void ColumnWriter::write(SwitchId destination, const Columns& columns) {
  port_.assign(columns.next.size(), kNoPort);
  sl_.assign(columns.next.size(), 0);
  for (unsigned column = 0; column < columns.used; ++column)
    choose_sls(destination, columns, column);
  const Switch& own = fabric_.node(destination);
  if (own.lid != kNoLid) write_lids(destination, columns, own.lid, 1, 0);
  for (const HostId h : fabric_.hosts_at(destination)) {
    const Host& host = fabric_.host(h);
    if (host.lid != kNoLid && fabric_.attached(h))
      write_lids(destination, columns, host.lid, host.lid_count(), host.port);
  }
}

/// Writes the LFT entries and SLs of `count` consecutive LIDs, each with the next column (tree).
void ColumnWriter::write_lids(SwitchId destination, const Columns& columns, Lid first,
                              unsigned count, PortNum last) {
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    const std::span<PortNum> ports = tables_.lft(s).subspan(first, count);
    if (s == destination) {
      std::ranges::fill(ports, last);
      continue;
    }
    // If there are more LIDs than columns, columns are reused from the first one on.
    const auto repeat = [&](const auto& from, auto to) {
      for (unsigned offset = 0; offset < count; offset += columns.used)
        std::copy_n(from.begin() + std::ptrdiff_t{s} * columns.stride,
                    std::min(columns.used, count - offset), to.begin() + offset);
    };
    repeat(port_, ports);
    if (rules_.sls > 1) repeat(sl_, tables_.sls(s).subspan(first, count));
  }
}

/// Chooses the SLs of all paths in a column (tree), from the destination outwards: a path's hops on
/// VL 1 with an SL are those of its next hop's path, plus at most one.
void ColumnWriter::choose_sls(SwitchId destination, const Columns& columns, unsigned column) {
  const SwitchId switches = fabric_.num_switches();
  const SwitchId* order = columns.order.data() + std::size_t{column} * switches;
  std::int64_t surplus = vl1_surplus_;
  for (SwitchId i = 0; i < switches && order[i] != kNoSwitch; ++i) {
    const SwitchId s = order[i];
    const std::size_t at = std::size_t{s} * columns.stride + column;
    const Arc arc = columns.next[at];
    const SwitchId to = graph_.target[arc];
    std::uint16_t hops = 1;
    PerSl on_vl1 = 0;
    if (to != destination) {
      const Arc then = columns.next[std::size_t{to} * columns.stride + column];
      hops = static_cast<std::uint16_t>(hops_[to] + 1);
      on_vl1 = on_vl1_[to] + kOnePerSl[rules_.turn(to, arc, then).on_vl1 & 15u];
    }
    hops_[s] = hops;
    on_vl1_[s] = on_vl1;
    std::int64_t least = INT64_MAX, best = surplus;
    unsigned chosen = 0;
    for (unsigned may = columns.sls[at]; may != 0; may &= may - 1) {
      const unsigned sl = static_cast<unsigned>(std::countr_zero(may));
      const auto high = static_cast<std::int64_t>(on_vl1 >> (16 * sl) & 0xFFFF);
      const std::int64_t after = surplus + 2 * high - hops;
      if (std::abs(after) >= least) continue;
      least = std::abs(after);
      best = after;
      chosen = sl;
    }
    surplus = best;
    sl_[at] = static_cast<Sl>(chosen);
    port_[at] = graph_.port[arc];
  }
  vl1_surplus_ = surplus;
}

}  // namespace selvedge
