// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/lossless_update_rounds.hpp"

#include <algorithm>
#include <utility>

#include "plugin/transition/drain_interval.hpp"
#include "plugin/transition/packets_in_flight.hpp"

namespace selvedge::transition {

std::vector<std::vector<LftChange>> lossless_update_rounds(const Fabric& fabric, const Tables& now,
                                                           const Tables& to,
                                                           std::span<const LftChange> changes) {
  std::vector<LftChange> by_dlid(changes.begin(), changes.end());
  std::ranges::stable_sort(by_dlid, {}, &LftChange::dlid);
  std::vector<std::vector<LftChange>> rounds;
  PacketsInFlight packets(fabric);
  MixedTablesFlow::MixedEntries entries;
  entries.source_sls.resize(fabric.num_switches());
  const Sl2Vl* const rows[] = {&now.sl2vl};
  for (std::size_t i = 0; i < by_dlid.size();) {
    const Lid dlid = by_dlid[i].dlid;
    std::vector<LftChange> rest, later;
    for (; i < by_dlid.size() && by_dlid[i].dlid == dlid; ++i) rest.push_back(by_dlid[i]);
    packets.start(dlid, now, to);
    load(entries, now, dlid);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      entries.source_sls[s] = prover::bit(now.sl(s, dlid));
    for (std::size_t round = 0; !rest.empty(); ++round) {
      if (rounds.size() == round) rounds.emplace_back();
      later.clear();
      const std::size_t before = rounds[round].size();
      for (const LftChange& c : rest) {
        entries.new_port[c.at] = c.after;
        packets.drain();
        if (!packets.propagate(entries, rows) && !packets.find_loop(entries)) {
          rounds[round].push_back(c);
          continue;
        }
        entries.new_port[c.at] = entries.old_port[c.at];
        later.push_back(c);
      }
      if (rounds[round].size() == before) {
        rounds[round].insert(rounds[round].end(), later.begin(), later.end());
        later.clear();
      }
      entries.old_port = entries.new_port;
      std::swap(rest, later);
    }
  }
  return rounds;
}

}  // namespace selvedge::transition
