// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

Levels with_levels(const Tables& tables, std::span<const Sl> sls, unsigned vls_each) {
  Levels made{tables, 1};
  const unsigned vls = std::max(vls_each, vls_of(tables)), path_sls = *sls_of(tables).rbegin() + 1U;
  const auto count = static_cast<unsigned>(sls.size());
  if (count * vls > kMaxDataVls)
    throw InputError(
        fmt::format("SL {} has no VL: {} levels of {} VLs each", unsigned{sls[kMaxDataVls / vls]},
                    count, vls),
        "[[traffic.class]] sl",
        fmt::format("give the classes at most {} different SLs, or the engine fewer VLs",
                    kMaxDataVls / vls));
  for (unsigned i = 0; i < count; ++i) {
    if (sls[i] + path_sls > kSls)
      throw InputError(fmt::format("SL {} has no VL: the paths have {} SLs on top of it",
                                   unsigned{sls[i]}, path_sls),
                       "[[traffic.class]] sl",
                       fmt::format("give an SL of at most {}", kSls - path_sls));
    for (unsigned k = 0; k < i; ++k)
      if (sls[i] < sls[k] + path_sls && sls[k] < sls[i] + path_sls)
        throw InputError(fmt::format("SLs {} and {} overlap: the paths have {} SLs on top of each",
                                     unsigned{sls[k]}, unsigned{sls[i]}, path_sls),
                         "[[traffic.class]] sl", fmt::format("leave {} between classes", path_sls));
  }
  const auto spread = [&](const Sl2VlRow& row) {
    Sl2VlRow all;
    all.fill(kDropVl);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned sl = 0; sl < path_sls; ++sl)
        if (row[sl] != kDropVl) all[sls[i] + sl] = static_cast<Vl>(row[sl] + i * vls);
    return all;
  };
  made.vls = count * vls;
  made.tables.host_sl2vl = spread(tables.host_sl2vl);
  for (SwitchId s = 0; s < tables.num_switches(); ++s) {
    made.tables.sl2vl.set_all(s, spread(tables.sl2vl.default_row(s)));
    if (tables.sl2vl.uniform(s)) continue;
    const unsigned ports = tables.sl2vl.ports(s);
    for (unsigned in = 0; in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out) {
        const auto i = static_cast<PortNum>(in), o = static_cast<PortNum>(out);
        made.tables.sl2vl.set(s, i, o, spread(tables.sl2vl.row(s, i, o)));
      }
  }
  return made;
}

}  // namespace selvedge::sim
