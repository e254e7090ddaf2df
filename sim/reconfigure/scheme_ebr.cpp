// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ebr and ebrd (Montañana 2008 ch. 6): the tables of each switch in consecutive SMPs, nearest to
// the fault first (§6.5). A switch takes its new table and epoch when it has all parts. ebr sends
// whole tables, ebrd differences. Every switch gets its epoch, also where nothing else differs:
// otherwise it would go on marking packets with the old one. Packets of hosts have the epoch of the
// switch that they enter; no dependency leads to the channel of a host.
#include <algorithm>

#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kEntryBytes = 3;  // of an entry by itself: LID and port

std::vector<Write> table_of(const TableChange& change, SwitchId at, bool differences) {
  std::vector<Write> writes;
  if (differences) {
    const std::size_t each = std::max(1U, change.spec.smp_payload_bytes / kEntryBytes);
    for (const LftChange& c : std::ranges::equal_range(change.delta.lft, at, {}, &LftChange::at)) {
      if (writes.empty() || writes.back().lft.size() == each)
        writes.push_back({.at = {SmpEnd::Kind::kSwitch, at}});
      writes.back().lft.push_back({c.dlid, c.after});
    }
  } else {
    writes = whole_table(change, at);
  }
  add_rows(change, at, writes);
  if (writes.empty()) writes.push_back({.at = {SmpEnd::Kind::kSwitch, at}});
  for (Write& write : writes) write.epoch = change.epoch;
  number_parts(writes);
  return writes;
}

template <bool kDifferences>
std::vector<Stage> stages_of_ebr(const TableChange& change) {
  std::vector<Stage> all(1);
  for (const SwitchId s : nearest_first(change.left, change.near))
    std::ranges::move(table_of(change, s, kDifferences), std::back_inserter(all[0].writes));
  add_hosts(change, all);
  return all;
}

}  // namespace

const Scheme kEbrScheme{
    .name = "ebr", .target = TargetKind::kEngine, .epochs = true, .stages = stages_of_ebr<false>};
const Scheme kEbrdScheme{
    .name = "ebrd", .target = TargetKind::kEngine, .epochs = true, .stages = stages_of_ebr<true>};

}  // namespace selvedge::sim
