// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/column_writer.hpp"

#include <algorithm>
#include <cstdlib>

namespace selvedge {

ColumnWriter::ColumnWriter(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules)
    : fabric_(fabric),
      graph_(graph),
      rules_(rules),
      tables_(fabric),
      sl_(fabric.num_switches()),
      on_vl1_(fabric.num_switches()),
      hops_(fabric.num_switches()) {
  write_sl2vl(fabric, graph, rules, tables_);
}

void ColumnWriter::write(SwitchId destination, const Columns& columns) {
  const auto write_lid = [&](Lid lid, unsigned column, PortNum last) {
    tables_.set_next(destination, lid, last);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (s == destination || columns.next[s * columns.stride + column] == kNoArc) continue;
      tables_.set_next(s, lid, graph_.port[columns.next[s * columns.stride + column]]);
      tables_.set_sl(s, lid, sl_[s]);
    }
  };
  const Switch& own = fabric_.node(destination);
  for (unsigned column = 0; column < columns.used; ++column) {
    choose_sls(destination, columns, column);
    if (column == 0 && own.lid != kNoLid) write_lid(own.lid, 0, 0);
    for (const HostId h : fabric_.hosts_at(destination)) {
      const Host& host = fabric_.host(h);
      if (host.lid == kNoLid || !fabric_.attached(h)) continue;
      for (unsigned offset = column; offset < host.lid_count(); offset += columns.used)
        write_lid(static_cast<Lid>(host.lid + offset), column, host.port);
    }
  }
}

/// From the destination out: how many hops of a path are on VL 1 with each SL follows from those of
/// the switch after it.
void ColumnWriter::choose_sls(SwitchId destination, const Columns& columns, unsigned column) {
  std::ranges::fill(hops_, std::uint16_t{0});
  for (SwitchId start = 0; start < fabric_.num_switches(); ++start) {
    if (start == destination || columns.next[start * columns.stride + column] == kNoArc) continue;
    trail_.clear();
    for (SwitchId at = start; at != destination && hops_[at] == 0;
         at = graph_.target[columns.next[at * columns.stride + column]])
      trail_.push_back(at);
    for (auto s = trail_.rbegin(); s != trail_.rend(); ++s) {
      const Arc arc = columns.next[*s * columns.stride + column];
      const SwitchId to = graph_.target[arc];
      on_vl1_[*s] = {};
      hops_[*s] = 1;
      if (to == destination) continue;
      hops_[*s] = static_cast<std::uint16_t>(hops_[to] + 1);
      const SlSet rising = rules_.turn(to, arc, columns.next[to * columns.stride + column]).on_vl1;
      for (unsigned sl = 0; sl < rules_.sls; ++sl)
        on_vl1_[*s][sl] = static_cast<std::uint16_t>(on_vl1_[to][sl] + (rising >> sl & 1u));
    }
  }
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    if (hops_[s] == 0) continue;
    const SlSet may = columns.sls[s * columns.stride + column];
    std::int64_t least = INT64_MAX, gain = 0;
    for (unsigned sl = 0; sl < rules_.sls; ++sl) {
      if (!(may >> sl & 1u)) continue;
      const std::int64_t leans = 2 * std::int64_t{on_vl1_[s][sl]} - hops_[s];
      if (std::abs(lean_ + leans) >= least) continue;
      least = std::abs(lean_ + leans);
      gain = leans;
      sl_[s] = static_cast<Sl>(sl);
    }
    lean_ += gain;
  }
}

}  // namespace selvedge
