// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/lossless_update_rounds.hpp"

#include <algorithm>
#include <utility>

#include "plugin/transition/drain_interval.hpp"
#include "plugin/transition/transit.hpp"

namespace selvedge::transition {

std::vector<std::vector<LftChange>> lossless_update_rounds(const Fabric& fabric, const Tables& now,
                                                           const Tables& to,
                                                           std::span<const LftChange> changes) {
  std::vector<LftChange> by_dlid(changes.begin(), changes.end());
  std::ranges::stable_sort(by_dlid, {}, &LftChange::dlid);
  std::vector<std::vector<LftChange>> layers;
  Transit transit(fabric);
  Mixture::Entries entries;
  entries.own.resize(fabric.num_switches());
  const Sl2Vl* const rows[] = {&now.sl2vl};
  for (std::size_t i = 0; i < by_dlid.size();) {
    const Lid dlid = by_dlid[i].dlid;
    std::vector<LftChange> rest, later;
    for (; i < by_dlid.size() && by_dlid[i].dlid == dlid; ++i) rest.push_back(by_dlid[i]);
    transit.begin(dlid, now, to);
    load(entries, now, dlid);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      entries.own[s] = prover::bit(now.sl(s, dlid));
    for (std::size_t layer = 0; !rest.empty(); ++layer) {
      if (layers.size() == layer) layers.emplace_back();
      later.clear();
      const std::size_t before = layers[layer].size();
      for (const LftChange& c : rest) {
        entries.then[c.at] = c.after;
        transit.drain();
        if (!transit.flow(entries, rows) && !transit.circle(entries)) {
          layers[layer].push_back(c);
          continue;
        }
        entries.then[c.at] = entries.now[c.at];
        later.push_back(c);
      }
      if (layers[layer].size() == before) {
        layers[layer].insert(layers[layer].end(), later.begin(), later.end());
        later.clear();
      }
      entries.now = entries.then;
      std::swap(rest, later);
    }
  }
  return layers;
}

}  // namespace selvedge::transition
