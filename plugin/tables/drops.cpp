// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/drops.hpp"

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

}  // namespace

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
