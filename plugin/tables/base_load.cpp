// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/base_load.hpp"

#include <algorithm>

#include "plugin/tables/bandwidth.hpp"

namespace selvedge {

BaseLoad base_load(const Fabric& fabric, const Tables& tables, const LevelHints& hints) {
  BaseLoad load;
  const std::vector<std::uint64_t> loads = base_channel_loads(fabric, tables);
  LevelClash ignored{};
  const std::optional<Levels> levels = find_levels(fabric, hints, ignored);
  std::uint64_t sum = 0, sum_up = 0, max_up = 0;
  std::size_t used = 0, used_up = 0;
  for (Channel c = 0; c < loads.size(); ++c) {
    if (loads[c] == 0 || !fabric.between_switches(c)) continue;
    if (loads[c] > load.max) {
      load.max = loads[c];
      load.busiest = c;
    }
    sum += loads[c];
    ++used;
    if (!levels || levels->level[fabric.target(c)] <= levels->level[fabric.switch_of(c)]) continue;
    sum_up += loads[c];
    max_up = std::max(max_up, loads[c]);
    ++used_up;
  }
  load.by_levels = used_up > 0;
  load.used = load.by_levels ? used_up : used;
  load.counted_max = load.by_levels ? max_up : load.max;
  if (load.used > 0)
    load.mean = static_cast<double>(load.by_levels ? sum_up : sum) / static_cast<double>(load.used);
  return load;
}

}  // namespace selvedge
