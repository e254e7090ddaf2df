// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sr-pda and sr-la (Montañana 2008 §7.4): Simple Reconfiguration. Tokens separate the packets of
// the old routing from those of the new one on every channel, so that no old packet is behind a new
// one, and no cycle of old and new dependencies can close. Each switch stores the new table beside
// the old one. sr-pda tells all to send their tokens while the tables are sent, so that as few
// packets as possible take the old routes; sr-la when all tables are there, so that few packets
// wait. A switch says when all its tokens have passed. What the thesis does not say:
// docs/decisions/0093-simple-reconfiguration.md.
#include <algorithm>

#include "sim/reconfigure/schemes.hpp"
#include "sim/reconfigure/turns.hpp"

namespace selvedge::sim {
namespace {

/// Tells each switch, then each host, to send its tokens.
std::vector<Write> tokens_to_all(const TableChange& change) {
  std::vector<Write> all = to_every_node(change.left);
  for (Write& write : all) {
    write.token = Write::TokenStep::kSend;
    write.change = change.change;
  }
  return all;
}

/// The new table of each switch and the turns of its old one, what takes longest to arrive first.
std::vector<Write> tables_to_all(const TableChange& change) {
  std::vector<Write> all;
  std::vector<SwitchId> order = nearest_first(change.left, {change.manager});
  std::ranges::reverse(order);
  const std::vector<std::vector<Turn>> turns = turns_of(change.whole, change.from);
  for (const SwitchId s : order) {
    std::vector<Write> writes = whole_table(change, s);
    writes.push_back({.at = {SmpEnd::Kind::kSwitch, s}, .turns = turns[s]});
    for (const Channel c : change.left.out(s))
      writes.back().ports.push_back(change.left.port_of(c));
    number_parts(writes);
    for (Write& write : writes) {
      write.token = Write::TokenStep::kTable;
      write.change = change.change;
    }
    std::ranges::move(writes, std::back_inserter(all));
  }
  return all;
}

std::vector<Stage> stages_of_sr_pda(const TableChange& change) {
  std::vector<Stage> all(2);
  all[0].writes = tokens_to_all(change);
  std::ranges::move(tables_to_all(change), std::back_inserter(all[0].writes));
  all[1].after = Stage::After::kSaid;
  return all;
}

std::vector<Stage> stages_of_sr_la(const TableChange& change) {
  std::vector<Stage> all(3);
  all[0].writes = tables_to_all(change);
  all[1].writes = tokens_to_all(change);
  all[2].after = Stage::After::kSaid;
  return all;
}

}  // namespace

const Scheme kSrPdaScheme{
    .name = "sr-pda", .target = TargetKind::kEngine, .tokens = true, .stages = stages_of_sr_pda};
const Scheme kSrLaScheme{
    .name = "sr-la", .target = TargetKind::kEngine, .tokens = true, .stages = stages_of_sr_la};

}  // namespace selvedge::sim
