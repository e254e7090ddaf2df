// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/sl_rules.hpp"

#include <algorithm>

namespace selvedge::prover {
namespace {

SlMask passing_sls(const Sl2VlRow& row) {
  SlMask mask = 0;
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (row[sl] < kDropVl) mask |= bit(sl);
  return mask;
}

/// The rows that some pair of ports uses. (An Sl2Vl may keep rows that no pair uses any more.)
std::vector<const Sl2VlRow*> rows_in_use(const Sl2Vl& sl2vl, std::uint32_t switches) {
  std::vector<bool> used(sl2vl.rows().size(), false);
  const Sl2VlRow* const base = sl2vl.rows().data();
  for (SwitchId s = 0; s < switches; ++s) {
    if (sl2vl.uniform(s)) {
      used[static_cast<std::size_t>(&sl2vl.default_row(s) - base)] = true;
      continue;
    }
    for (unsigned in = 0; in <= sl2vl.ports(s); ++in)
      for (unsigned out = 0; out <= sl2vl.ports(s); ++out)
        used[static_cast<std::size_t>(
            &sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)) - base)] = true;
  }
  std::vector<const Sl2VlRow*> rows;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) rows.push_back(base + i);
  return rows;
}

bool one_row(const Sl2Vl& sl2vl, SwitchId s) {
  if (sl2vl.uniform(s)) return true;
  for (unsigned in = 0; in <= sl2vl.ports(s); ++in)
    for (unsigned out = 0; out <= sl2vl.ports(s); ++out)
      if (&sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)) != &sl2vl.row(s, 0, 0))
        return false;
  return true;
}

}  // namespace

RowMasks::RowMasks(const Sl2Vl& sl2vl) : sl2vl_(&sl2vl) {
  for (const Sl2VlRow& row : sl2vl.rows()) masks_.push_back(passing_sls(row));
}

SlRules::SlRules(const Sl2Vl& sl2vl, const Sl2VlRow& host_sl2vl, std::uint32_t switches,
                 SlMask sls_of_paths)
    : used(sls_of_paths), from_hosts(passing_sls(host_sl2vl)) {
  const std::vector<const Sl2VlRow*> rows = rows_in_use(sl2vl, switches);
  auto alike = [&](unsigned a, unsigned b) {
    return ((from_hosts >> a) & 1) == ((from_hosts >> b) & 1) &&
           std::ranges::all_of(rows, [&](const Sl2VlRow* row) { return (*row)[a] == (*row)[b]; });
  };
  every_class = 0;
  SlMask used_classes = 0;
  for (unsigned sl = 0; sl < kSls; ++sl) {
    unsigned low = 0;
    while (!alike(low, sl)) ++low;
    lowest[sl] = static_cast<Sl>(low);
    every_class |= bit(low);
    if (used & bit(sl)) used_classes |= bit(low);
  }
  one_class = std::popcount(every_class) == 1;
  one_used_class = std::popcount(used_classes) <= 1;

  SlMask passing = from_hosts;
  for (const Sl2VlRow* row : rows) {
    passing &= passing_sls(*row);
    for (unsigned sl = 0; sl < kSls; ++sl) {
      if ((*row)[sl] >= kDropVl) continue;
      vls_any = std::max<unsigned>(vls_any, (*row)[sl] + 1u);
      if (sl == 0 || (used & bit(sl))) vls_used = std::max<unsigned>(vls_used, (*row)[sl] + 1u);
    }
  }
  drops = (used & ~passing) != 0;
  for (SwitchId s = 0; s < switches && uniform; ++s) uniform = one_row(sl2vl, s);
}

bool SlRules::still_valid(const SlRules& fresh) const {
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (fresh.lowest[sl] != fresh.lowest[lowest[sl]]) return false;  // a class has split
  return (fresh.used & ~used) == 0 && from_hosts == fresh.from_hosts &&
         (!one_class || fresh.one_class) && (!one_used_class || fresh.one_used_class) &&
         (!simple() || fresh.simple()) && (drops || !fresh.drops) && vls_used >= fresh.vls_used &&
         vls_any >= fresh.vls_any;
}

}  // namespace selvedge::prover
