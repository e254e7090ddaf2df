// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/kept_paths.hpp"

#include <algorithm>

#include "plugin/tables/paths.hpp"

namespace selvedge {

void KeptPaths::operator+=(const KeptPaths& other) {
  hit += other.hit;
  kept += other.kept;
  dead += other.dead;
  moved += other.moved;
}

KeptPaths kept_paths(const Fabric& whole, const Fabric& damaged, const Tables& before,
                     const Tables& after) {
  KeptPaths sum;
  const auto broken = [&](Channel c) { return !damaged.between_switches(c); };
  for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
    if (damaged.hosts_at(s).empty()) continue;
    const PortNum in = damaged.host(damaged.hosts_at(s).front()).port;
    for (unsigned i = 1; i <= damaged.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const LidOwner owner = damaged.owner(lid);
      if (owner.kind != LidOwner::Kind::kHost || !damaged.attached(owner.id)) continue;
      if (damaged.destination_switch(lid) == s) continue;
      const Path was = walk(whole, before, s, in, lid);
      if (!was.arrives()) continue;
      const Path now = walk(damaged, after, s, in, lid);
      sum.dead += !now.arrives();
      if (std::ranges::any_of(was.channels, broken)) {
        ++sum.hit;
        sum.kept += now.arrives() && now.sl == was.sl;
      } else {
        sum.moved += now.arrives() && (now.channels != was.channels || now.sl != was.sl);
      }
    }
  }
  return sum;
}

}  // namespace selvedge
