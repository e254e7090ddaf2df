// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/bandwidth.hpp"

#include <algorithm>
#include <ranges>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/path_tree.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

std::vector<HostId> ends_of_paths(const Fabric& fabric) {
  std::vector<HostId> hosts;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h) && fabric.host(h).lid != kNoLid) hosts.push_back(h);
  return hosts;
}

}  // namespace

std::vector<std::uint64_t> base_channel_loads(const Fabric& fabric, const Tables& tables) {
  std::vector<std::uint64_t> load(fabric.num_switch_channels(), 0), flow(fabric.num_switches());
  const std::vector<HostId> ends = ends_of_paths(fabric);
  // Per switch: the number of its hosts with a LID
  std::vector<std::uint64_t> sources(fabric.num_switches(), 0);
  for (const HostId h : ends) ++sources[fabric.host(h).at];
  const DroppedSls drops(tables);
  PathTree tree(fabric, tables, drops);
  for (const HostId d : ends) {
    tree.grow(d, fabric.host(d).lid);
    std::ranges::fill(flow, 0);
    for (const SwitchId s : tree.order() | std::views::reverse) {
      if (tree.distance(s) == 0) continue;
      flow[s] += sources[s];
      load[tree.out(s)] += flow[s];
      flow[fabric.target(tree.out(s))] += flow[s];
    }
  }
  return load;
}

std::uint64_t base_channel_load_max(const Fabric& fabric, const Tables& tables) {
  const std::vector<std::uint64_t> loads = base_channel_loads(fabric, tables);
  return loads.empty() ? 0 : std::ranges::max(loads);
}

namespace {

/// The EBB over the first `lids` LIDs of each host, or over fewer if it has fewer.
double bandwidth_over(const Fabric& fabric, const Tables& tables, unsigned lids,
                      unsigned permutations, std::uint64_t seed,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const std::vector<HostId> sources = ends_of_paths(fabric);
  if (sources.size() < 2) return 0;
  std::vector<HostId> destinations = sources;
  // Loads are in 1/128 of a flow: no host has more LIDs.
  constexpr std::uint32_t kOne = 1u << kMaxLmc;
  std::vector<std::uint32_t> load(fabric.num_switch_channels(), 0);
  std::vector<Channel> crossed;  // the channels of all parts of flows, one part after another
  struct Part {
    std::size_t last;     // the end of its channels in `crossed`
    std::uint32_t share;  // of its flow, in 1/128
    bool arrives;
  };
  std::vector<Part> parts;
  StableRandom random(seed);
  double sum = 0;
  std::uint64_t flows = 0;
  for (unsigned p = 0; p < permutations; ++p) {
    random.shuffle(destinations);
    crossed.clear();
    parts.clear();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] == destinations[i]) continue;
      ++flows;
      const Host& to = fabric.host(destinations[i]);
      const unsigned used = std::min(lids, to.lid_count());
      for (unsigned offset = 0; offset < used; ++offset) {
        const auto lid = static_cast<Lid>(to.lid + offset);
        SwitchId at = fabric.host(sources[i]).at;
        const std::size_t begin = crossed.size();
        while (at != to.at) {
          const PortNum port = tables.next(at, lid);
          if (port == kNoPort || port == 0 || port > fabric.node(at).ports) break;
          const Channel c = fabric.channel(at, port);
          if (!fabric.between_switches(c) || crossed.size() - begin > fabric.num_switches()) break;
          crossed.push_back(c);
          at = fabric.target(c);
        }
        const bool arrived = at == to.at && tables.next(at, lid) == to.port;
        if (!arrived) crossed.resize(begin);
        for (std::size_t k = begin; k < crossed.size(); ++k) load[crossed[k]] += kOne / used;
        parts.push_back({crossed.size(), kOne / used, arrived});
      }
    }
    std::size_t next = 0;
    for (const Part& part : parts) {
      std::uint32_t most = kOne;
      for (; next < part.last; ++next) most = std::max(most, load[crossed[next]]);
      if (part.arrives) sum += static_cast<double>(part.share) / most;
    }
    for (const Channel c : crossed) load[c] = 0;
    if (progress) progress(p + 1, permutations);
  }
  return flows == 0 ? 0 : sum / static_cast<double>(flows);
}

}  // namespace

double effective_bandwidth(const Fabric& fabric, const Tables& tables, unsigned permutations,
                           std::uint64_t seed,
                           const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return bandwidth_over(fabric, tables, 1, permutations, seed, progress);
}

double spread_bandwidth(const Fabric& fabric, const Tables& tables, unsigned permutations,
                        std::uint64_t seed,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return bandwidth_over(fabric, tables, 1u << kMaxLmc, permutations, seed, progress);
}

}  // namespace selvedge
