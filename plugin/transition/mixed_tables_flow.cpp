// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/mixed_tables_flow.hpp"

#include <algorithm>

namespace selvedge::transition {

SlClasses::SlClasses(RowTables sl2vl, const Sl2VlRow& hosts, std::uint32_t switches) {
  for (const Sl2Vl* rows : sl2vl) {
    const prover::SlRules rules(*rows, hosts, switches, prover::kAllSls);
    const auto before = lowest;
    for (unsigned sl = 0; sl < kSls; ++sl) {
      unsigned low = 0;
      while (rules.lowest[low] != rules.lowest[sl] || before[low] != before[sl]) ++low;
      lowest[sl] = static_cast<Sl>(low);
    }
    vls = std::max(vls, rules.vls_any);
  }
  for (unsigned sl = 0; sl < kSls; ++sl) {
    if (lowest[sl] != sl) continue;
    every |= prover::bit(sl);
    if (hosts[sl] < kDropVl) from_hosts |= prover::bit(sl);
  }
}

MixedTablesFlow::MixedTablesFlow(const Fabric& fabric, const SlClasses& classes)
    : fabric_(fabric),
      classes_(classes),
      vls_(std::size_t{fabric.num_switch_channels()} * kSls, 0),
      seen_(fabric.num_switch_channels(), false),
      waiting_(fabric.num_switch_channels(), false) {}

void MixedTablesFlow::clear() {
  for (const Channel c : touched_) {
    std::fill_n(vls_.begin() + static_cast<std::ptrdiff_t>(c * std::size_t{kSls}), kSls, 0);
    seen_[c] = false;
  }
  touched_.clear();
}

void MixedTablesFlow::put_all(SlMask sls, const Sl2VlRow& row, Channel out) {
  for (; sls != 0; sls &= static_cast<SlMask>(sls - 1)) {
    const auto sl = static_cast<unsigned>(std::countr_zero(sls));
    if (row[sl] < kDropVl) put(out, sl, row[sl]);
  }
}

void MixedTablesFlow::enter_sources(const MixedEntries& entries, RowTables sl2vl) {
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    for (const PortNum port : {entries.old_port[s], entries.new_port[s]}) {
      const Channel out = next_channel(s, port);
      if (out == kNoChannel) continue;
      for (const Sl2Vl* rows : sl2vl) {
        put_all(entries.source_sls[s], rows->row(s, 0, port), out);
        if (rows->uniform(s)) continue;  // hosts' ports have the same rows as port 0
        for (const HostId h : fabric_.hosts_at(s))
          put_all(entries.source_sls[s] & classes_.from_hosts,
                  rows->row(s, fabric_.host(h).port, port), out);
      }
      if (entries.new_port[s] == entries.old_port[s]) break;
    }
  }
}

}  // namespace selvedge::transition
