// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/qos_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace selvedge {
namespace {

/// The VL that OpenSM uses instead of `vl` at a port with `vls` VLs.
Vl on_port(Vl vl, unsigned vls) {
  if (vl == kDropVl || vls >= kMaxDataVls) return vl;
  return static_cast<Vl>(vl & (vls - 1));
}

Sl2VlRow on_port(Sl2VlRow row, unsigned vls) {
  for (Vl& vl : row) vl = on_port(vl, vls);
  return row;
}

}  // namespace

QosLevels::QosLevels() {
  for (unsigned sl = 0; sl < kSls; ++sl) engine_sl_[sl] = static_cast<Sl>(sl);
}

QosLevels::QosLevels(const QosMap& map, unsigned vls, bool several)
    : level_(on_port(map.switches, vls)), vls_(vls), plain_(false) {
  std::set<Vl> used;
  for (const Vl vl : level_)
    if (vl != kDropVl) used.insert(vl);
  count_ = std::max<unsigned>(1, static_cast<unsigned>(used.size()));
  engine_vls_ = several ? std::max(1u, vls / count_) : 1;
  switches_ = level_;
  hosts_ = on_port(map.hosts, vls);
  if (engine_vls_ == 1) {
    engine_sls_ = 1;
    return;
  }
  for (const Vl vl : used) {
    Sl own = 0;
    for (unsigned sl = 0; sl < kSls; ++sl)
      if (level_[sl] == vl) engine_sl_[sl] = own++;
    engine_sls_ = std::min<unsigned>(engine_sls_, own);
  }
  for (Vl& vl : switches_)
    if (vl != kDropVl) vl = vls_of(vl)->first;
  hosts_ = switches_;
}

std::string QosLevels::arithmetic() const {
  if (plain_) return "";
  return fmt::format("{} QoS level{} on {} VLs and {} SLs: {} VL{} and {} SL{} each", count_,
                     count_ == 1 ? "" : "s", vls_, unsigned{kSls}, engine_vls_,
                     engine_vls_ == 1 ? "" : "s", engine_sls_, engine_sls_ == 1 ? "" : "s");
}

Sl2VlRow QosLevels::convert(const Sl2VlRow& row, const Sl2VlRow& first) const {
  Sl2VlRow written{};
  for (unsigned sl = 0; sl < kSls; ++sl) {
    const Vl own = row[engine_sl_[sl]];
    written[sl] =
        own == kDropVl || first[sl] == kDropVl ? Vl{kDropVl} : static_cast<Vl>(first[sl] + own);
  }
  return written;
}

std::vector<Sl> QosLevels::lowest_sls() const {
  std::vector<Sl> lowest;
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (level_[sl] != kDropVl &&
        std::find(level_.begin(), level_.begin() + sl, level_[sl]) == level_.begin() + sl)
      lowest.push_back(static_cast<Sl>(sl));
  return lowest;
}

Sl QosLevels::sl_in_level_of(Sl asked, Sl own) const {
  if (plain_) return own;
  if (engine_vls_ == 1 || level_[asked] == kDropVl) return asked;
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (level_[sl] == level_[asked] && engine_sl_[sl] == own) return static_cast<Sl>(sl);
  return asked;
}

std::optional<QosLevels::VlRange> QosLevels::vls_of(Vl administrators) const {
  const Vl vl = plain_ ? administrators : on_port(administrators, vls_);
  if (plain_) return VlRange{vl, 1};
  if (vl == kDropVl || std::ranges::find(level_, vl) == level_.end()) return std::nullopt;
  if (engine_vls_ == 1) return VlRange{vl, 1};
  std::set<Vl> below;
  for (const Vl other : level_)
    if (other < vl) below.insert(other);
  return VlRange{static_cast<Vl>(below.size() * engine_vls_), engine_vls_};
}

Tables as_written(const Fabric& fabric, const Tables& tables, const QosLevels& levels, Sl asked) {
  Tables written = tables;
  written.host_sl2vl = levels.at_host(tables.host_sl2vl);
  written.sl2vl = Sl2Vl(fabric);
  const bool one = tables.one_sl() && levels.sl_in_level_of(asked, 0) == 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    written.sl2vl.set_all(s, levels.at_switch(tables.sl2vl.default_row(s)));
    if (!tables.sl2vl.uniform(s)) {
      const unsigned ports = tables.sl2vl.ports(s);
      for (unsigned in = 0; in <= ports; ++in)
        for (unsigned out = 0; out <= ports; ++out) {
          const auto i = static_cast<PortNum>(in), o = static_cast<PortNum>(out);
          written.sl2vl.set(s, i, o, levels.at_switch(tables.sl2vl.row(s, i, o)));
        }
    }
    for (unsigned lid = 0; !one && lid <= tables.top_lid(); ++lid)
      written.set_sl(s, static_cast<Lid>(lid),
                     levels.sl_in_level_of(asked, tables.sl(s, static_cast<Lid>(lid))));
  }
  return written;
}

}  // namespace selvedge
