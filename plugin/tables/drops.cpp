// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/drops.hpp"

#include <algorithm>

namespace selvedge {
namespace {

std::uint16_t sls_in_use(const Tables& tables) {
  if (tables.one_sl()) return 1;
  std::uint16_t used = 0;
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    for (unsigned lid = 0; lid <= tables.top_lid(); ++lid)
      used |= static_cast<std::uint16_t>(1u << tables.sl(s, static_cast<Lid>(lid)));
  return used;
}

bool drops_all_or_none(const Sl2VlRow& row) {
  const auto drops = std::ranges::count_if(row, [](Vl vl) { return vl >= kDropVl; });
  return drops == 0 || drops == std::ssize(row);
}

/// Whether a turn drops this SL, but not every SL.
bool drops_it_alone(const Sl2VlRow& row, Sl sl) {
  return row[sl] >= kDropVl && !drops_all_or_none(row);
}

}  // namespace

bool drops_all_sls_or_none(const Tables& tables) {
  return drops_all_or_none(tables.host_sl2vl) &&
         std::ranges::all_of(tables.sl2vl.rows(), drops_all_or_none);
}

bool passes_on_every_path(const Fabric& fabric, const Tables& tables, Sl sl) {
  if (drops_all_sls_or_none(tables)) return true;
  if (drops_it_alone(tables.host_sl2vl, sl)) return false;
  std::vector<Lid> walked(fabric.num_switches(), kNoLid);  // per switch: the LID for which it was
                                                           // last followed
  for (unsigned i = 1; i <= tables.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (fabric.owner(lid).kind != LidOwner::Kind::kHost) continue;
    for (const Host& h : fabric.hosts()) {
      if (h.at == kNoSwitch || h.lid == kNoLid) continue;
      PortNum in = h.port;
      for (SwitchId at = h.at;;) {
        const PortNum out = tables.next(at, lid);
        if (out > fabric.node(at).ports) break;  // no path from here
        const Channel c = fabric.channel(at, out);
        if (fabric.peer(c) == kNoChannel) break;  // likewise
        if (drops_it_alone(tables.sl2vl.row(at, in, out), sl)) return false;
        if (walked[at] == lid || !fabric.between_switches(c)) break;
        walked[at] = lid;
        at = fabric.target(c);
        in = fabric.port_of(fabric.peer(c));
      }
    }
  }
  return true;
}

std::uint16_t DroppedSls::of(const Sl2VlRow& row) {
  unsigned dropped = 0;
  for (unsigned sl = 0; sl < kSls; ++sl) dropped |= unsigned{row[sl] == kDropVl} << sl;
  return static_cast<std::uint16_t>(dropped);
}

DroppedSls::DroppedSls(const Tables& tables) : tables_(tables), hosts_(of(tables.host_sl2vl)) {
  uniform_.reserve(tables.num_switches());
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    uniform_.push_back(of(tables.sl2vl.default_row(s)));
  unsigned dropped = hosts_;
  for (const Sl2VlRow& row : tables.sl2vl.rows()) dropped |= of(row);
  any_ = dropped != 0 && (dropped & sls_in_use(tables)) != 0;
}

}  // namespace selvedge
