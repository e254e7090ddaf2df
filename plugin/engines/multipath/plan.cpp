// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/plan.hpp"

#include <algorithm>

namespace selvedge::multipath {
namespace {

/// Per component and cycle: the paths that have a 1 there.
std::vector<std::vector<std::uint64_t>> count_ones(const BitPlan& plan) {
  std::vector<std::vector<std::uint64_t>> ones;
  for (const auto& cycles : plan.cycles.of) ones.emplace_back(cycles.size(), 0);
  std::vector<Edge> path;
  for (SwitchId t = 0; t < plan.graph.num_switches(); ++t) {
    const PathsTo paths = paths_to(plan.simple, t, plan.limit);
    std::vector<std::uint64_t>& of = ones[plan.pieces.of[t]];
    for (std::uint32_t i = 1; i < paths.paths.size(); ++i) {
      paths.edges(i, path);
      const std::optional<CycleList> list = path_list(plan.cycles, path);
      if (!list) continue;
      for (const std::int32_t member : *list)
        if (member > 0) ++of[static_cast<std::size_t>(member) - 1];
    }
  }
  return ones;
}

}  // namespace

BitPlan plan_bits(const Fabric& fabric) {
  BitPlan plan;
  plan.graph = make_switch_graph(fabric);
  plan.pieces = components(plan.graph);
  plan.simple = make_simple_graph(plan.graph);
  plan.cycles = find_cycles(plan.simple, plan.pieces);
  plan.limit = path_limit(fabric.num_switches());
  std::array<bool, kMaxLmc + 1> present{};
  for (const Host& host : fabric.hosts())
    if (host.lid != kNoLid) present[host.lmc] = true;
  std::vector<std::vector<std::uint64_t>> ones;
  for (unsigned lmc = 1; lmc <= kMaxLmc; ++lmc) {
    if (!present[lmc]) continue;
    if (ones.empty() && plan.cycles.most() > lmc) ones = count_ones(plan);
    for (std::uint32_t c = 0; c < plan.pieces.count(); ++c)
      plan.kept[lmc].push_back(
          keep_bits(static_cast<std::uint32_t>(plan.cycles.of[c].size()), lmc,
                    ones.empty() ? std::span<const std::uint64_t>() : ones[c]));
  }
  return plan;
}

std::string lid_bits(const Fabric& fabric, const BitPlan& plan, const Host& host, unsigned offset) {
  if (offset == 0 || plan.kept[host.lmc].empty()) return "-";
  const KeptBits& kept = plan.kept[host.lmc][plan.pieces.of[fabric.destination_switch(host.lid)]];
  if (kept.place.empty()) return "-";
  const std::uint32_t string = BitPlan::string_of(kept, offset);
  std::string text(kept.place.size(), '0');
  for (std::size_t c = 0; c < text.size(); ++c)
    if (kept.place[c] != KeptBits::kDropped && (string >> kept.place[c] & 1) != 0) text[c] = '1';
  return text;
}

}  // namespace selvedge::multipath
