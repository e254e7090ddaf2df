// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/schemes.hpp"

#include <algorithm>
#include <array>

namespace selvedge::sim {
namespace {

constexpr std::array<const Scheme*, 12> kSchemes = {
    &kStaticScheme,        &kNaiveScheme, &kOpensmScheme, &kGuardedScheme, &kRftrScheme,
    &kRftrReaddressScheme, &kEbrScheme,   &kEbrdScheme,   &kEbrHoqScheme,  &kDsScheme,
    &kSrPdaScheme,         &kSrLaScheme};

/// The elements of a vector sorted by switch that are of one switch.
template <class Item>
std::span<const Item> of_switch(const std::vector<Item>& all, SwitchId at) {
  const auto found = std::ranges::equal_range(all, at, {}, &Item::at);
  return {found.begin(), found.end()};
}

}  // namespace

const Scheme& scheme_of(SchemeName name) {
  return *kSchemes.at(static_cast<std::size_t>(name) - 1);
}

Managed managed_by(const Scheme& scheme) {
  if (scheme.epochs) return Managed::kWithEpochs;
  if (scheme.tokens) return Managed::kWithTokens;
  return scheme.layers ? Managed::kWithLayers : Managed::kYes;
}

std::span<const std::string_view> scheme_names() {
  static const auto names = [] {
    std::array<std::string_view, kSchemes.size() + 1> all{"off"};
    for (std::size_t i = 0; i < kSchemes.size(); ++i) all[i + 1] = kSchemes[i]->name;
    return all;
  }();
  return names;
}

std::vector<SwitchId> nearest_first(const Fabric& left, const std::vector<SwitchId>& near) {
  std::vector<unsigned> hops(left.num_switches(), near.empty() ? 0 : UINT32_MAX);
  std::vector<SwitchId> queue;
  for (const SwitchId s : near)
    if (std::exchange(hops[s], 0) != 0) queue.push_back(s);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : left.out(queue[i])) {
      if (hops[left.target(c)] != UINT32_MAX) continue;
      hops[left.target(c)] = hops[queue[i]] + 1;
      queue.push_back(left.target(c));
    }
  std::vector<SwitchId> order(left.num_switches());
  for (SwitchId s = 0; s < order.size(); ++s) order[s] = s;
  std::ranges::stable_sort(order, {}, [&](SwitchId s) { return hops[s]; });
  return order;
}

void add_rows(const TableChange& change, SwitchId at, std::vector<Write>& writes) {
  for (const Sl2VlChange& c : of_switch(change.delta.sl2vl, at))
    writes.push_back({.at = {SmpEnd::Kind::kSwitch, at}, .row = Sl2VlEntry{c.in, c.out, c.after}});
}

void add_difference(const TableChange& change, SwitchId at, std::vector<Write>& writes) {
  const unsigned entries = std::min(change.spec.smp_payload_bytes, kLftBlockEntries);
  unsigned chunk = UINT32_MAX;
  for (const LftChange& c : of_switch(change.delta.lft, at)) {
    if (c.dlid / entries != chunk) {
      chunk = c.dlid / entries;
      writes.push_back({.at = {SmpEnd::Kind::kSwitch, at}});
    }
    writes.back().lft.push_back({c.dlid, c.after});
  }
  add_rows(change, at, writes);
}

std::vector<Stage> differences(const TableChange& change, const std::vector<SwitchId>& order) {
  std::vector<Stage> all(1);
  for (const SwitchId s : order) add_difference(change, s, all[0].writes);
  add_hosts(change, all);
  return all;
}

std::vector<Write> whole_table(const TableChange& change, SwitchId at) {
  const unsigned each = std::min(change.spec.smp_payload_bytes, kLftBlockEntries);
  std::vector<Write> writes;
  for (unsigned lid = 1; lid <= change.to.top_lid(); ++lid) {
    if (writes.empty() || writes.back().lft.size() == each)
      writes.push_back({.at = {SmpEnd::Kind::kSwitch, at}});
    const auto dlid = static_cast<Lid>(lid);
    writes.back().lft.push_back({dlid, change.to.next(at, dlid)});
  }
  return writes;
}

void number_parts(std::vector<Write>& writes) {
  for (unsigned i = 0; i < writes.size(); ++i) {
    writes[i].part = i;
    writes[i].parts = static_cast<unsigned>(writes.size());
  }
}

std::vector<Write> to_every_node(const Fabric& left) {
  std::vector<Write> all;
  for (SwitchId s = 0; s < left.num_switches(); ++s)
    all.push_back({.at = {SmpEnd::Kind::kSwitch, s}});
  for (HostId h = 0; h < left.num_hosts(); ++h)
    if (left.attached(h)) all.push_back({.at = {SmpEnd::Kind::kHost, h}});
  return all;
}

void add_hosts(const TableChange& change, std::vector<Stage>& stages) {
  if (!change.hosts.empty()) stages.push_back({.writes = change.hosts});
}

}  // namespace selvedge::sim
