// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/separate_base.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace selvedge {
namespace {

std::vector<bool> base_lids(const Fabric& fabric, unsigned top_lid) {
  std::vector<bool> base(top_lid + 1, false);
  for (const Host& h : fabric.hosts())
    if (h.lid != kNoLid && h.lid <= top_lid) base[h.lid] = true;
  return base;
}

/// The SL of all paths to base LIDs, if no other path has it and no multicast packet (SL 0).
/// `used`: gets a bit for each SL that other paths and multicast have.
std::optional<Sl> own_sl(const Tables& tables, const std::vector<bool>& base, unsigned& used) {
  unsigned of_base = 0;
  used = 1;
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    for (unsigned lid = 1; lid < base.size(); ++lid)
      if (tables.next(s, static_cast<Lid>(lid)) != kNoPort)
        (base[lid] ? of_base : used) |= 1u << tables.sl(s, static_cast<Lid>(lid));
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (of_base == 1u << sl && (used >> sl & 1u) == 0) return static_cast<Sl>(sl);
  return std::nullopt;
}

/// Per row of `sl2vl`: whether some pair of ports of some switch has it.
std::vector<bool> rows_of_ports(const Sl2Vl& sl2vl, std::uint32_t switches) {
  std::vector<bool> found(sl2vl.rows().size(), false);
  const auto mark = [&](const Sl2VlRow& row) { found[&row - sl2vl.rows().data()] = true; };
  for (SwitchId s = 0; s < switches; ++s) {
    if (sl2vl.uniform(s)) {
      mark(sl2vl.default_row(s));
      continue;
    }
    for (unsigned in = 0; in <= sl2vl.ports(s); ++in)
      for (unsigned out = 0; out <= sl2vl.ports(s); ++out)
        mark(sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)));
  }
  return found;
}

/// The VL that every pair of ports gives `sl`, if no pair gives it to an SL of `used`.
std::optional<Vl> own_vl(const Tables& tables, Sl sl, unsigned used) {
  if (tables.host_sl2vl[sl] == kDropVl) return std::nullopt;
  const std::vector<bool> found = rows_of_ports(tables.sl2vl, tables.num_switches());
  std::optional<Vl> vl;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) continue;
    const Sl2VlRow& row = tables.sl2vl.rows()[i];
    if (!vl) vl = row[sl];
    if (row[sl] != *vl || row[sl] == kDropVl) return std::nullopt;
    for (unsigned other = 0; other < kSls; ++other)
      if ((used >> other & 1u) != 0 && row[other] == *vl) return std::nullopt;
  }
  return vl;
}

}  // namespace

std::optional<SeparateBase> separate_base(const Fabric& fabric, const Tables& tables) {
  if (tables.one_sl()) return std::nullopt;
  const std::vector<bool> base = base_lids(fabric, tables.top_lid());
  unsigned used = 0;
  const std::optional<Sl> sl = own_sl(tables, base, used);
  const std::optional<Vl> vl = sl ? own_vl(tables, *sl, used) : std::nullopt;
  if (!vl) return std::nullopt;

  FabricBuilder builder(fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) builder.host(h).lmc = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) builder.node(s).lid = kNoLid;
  Fabric part = std::move(builder).build("base LIDs");
  Tables columns(part);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= part.top_lid(); ++lid)
      if (base[lid])
        columns.set_next(s, static_cast<Lid>(lid), tables.next(s, static_cast<Lid>(lid)));
  return SeparateBase{{*sl, *vl}, std::move(part), std::move(columns)};
}

}  // namespace selvedge
