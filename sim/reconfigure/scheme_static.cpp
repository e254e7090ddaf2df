// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// static (Montañana 2008 §7.4, ST): the hosts were told to hold their injection when the fault was
// detected. Tables are written when the network is empty; then the hosts are released. The thesis
// lets tables be written while packets drain, which may deadlock.
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

std::vector<Write> hold_of_all(const Fabric& left, unsigned) {
  std::vector<Write> all;
  for (HostId h = 0; h < left.num_hosts(); ++h)
    if (left.attached(h)) all.push_back({.at = {SmpEnd::Kind::kHost, h}, .hold = true});
  return all;
}

std::vector<Stage> stages_of_static(const TableChange& change) {
  Stage tables{.after = Stage::After::kEmpty, .writes = {}};
  for (SwitchId s = 0; s < change.left.num_switches(); ++s)
    add_difference(change, s, tables.writes);
  std::vector<Stage> all{std::move(tables)};
  add_hosts(change, all);
  Stage release;
  for (HostId h = 0; h < change.left.num_hosts(); ++h)
    if (change.left.attached(h))
      release.writes.push_back({.at = {SmpEnd::Kind::kHost, h}, .hold = false});
  all.push_back(std::move(release));
  return all;
}

}  // namespace

const Scheme kStaticScheme{.name = "static",
                           .target = TargetKind::kEngine,
                           .at_once = hold_of_all,
                           .at_once_first = true,
                           .stages = stages_of_static};

}  // namespace selvedge::sim
