// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/metrics.hpp"

#include <algorithm>
#include <ranges>

#include "plugin/tables/path_tree.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

class Measurement {
 public:
  Measurement(const Fabric& fabric, const Tables& tables)
      : fabric_(fabric),
        tables_(tables),
        drops_(tables),
        tree_(fabric, tables, drops_),
        paths_(fabric, tables),
        load_(fabric.num_switch_channels()),
        flow_(fabric.num_switches()) {}

  Metrics run(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
    count_nodes();
    for (HostId d = 0; d < fabric_.num_hosts(); ++d) {
      std::uint64_t reachable = 0;
      if (fabric_.attached(d) && fabric_.host(d).lid != kNoLid) {
        reachable = neighbours(d);
        reachable += fabric_.host(d).lmc == 0 ? one_lid(d) : several_lids(d);
      }
      metrics_.unreachable_pairs += fabric_.num_hosts() - 1 - reachable;
      if (progress) progress(d + 1, fabric_.num_hosts());
    }
    summarise();
    return metrics_;
  }

 private:
  void count_nodes() {
    for (const Switch& s : fabric_.switches())
      if (!s.failed) {
        ++metrics_.switches;
        metrics_.lids += s.lid != kNoLid;
      }
    for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
      const Host& host = fabric_.host(h);
      metrics_.lmc = std::max<unsigned>(metrics_.lmc, host.lmc);
      if (!fabric_.attached(h)) continue;
      ++metrics_.hosts;
      if (host.lid != kNoLid) metrics_.lids += host.lid_count();
    }
    metrics_.links = static_cast<std::uint32_t>(fabric_.links().size());
  }

  /// The number of hosts on the destination's own switch that reach it.
  std::uint64_t neighbours(HostId d) const {
    const Host& host = fabric_.host(d);
    std::uint64_t reachable = 0;
    for (const HostId h : fabric_.hosts_at(host.at)) {
      bool arrives = false;
      for (unsigned i = 0; h != d && i < host.lid_count() && !arrives; ++i) {
        const auto lid = static_cast<Lid>(host.lid + i);
        const unsigned dropped =
            drops_.at_hosts() | drops_.at(host.at, fabric_.host(h).port, host.port);
        arrives = tables_.next(host.at, lid) == host.port &&
                  (dropped >> tables_.sl(host.at, lid) & 1u) == 0;
      }
      reachable += arrives;
    }
    return reachable;
  }

  /// Returns the number of hosts on other switches that reach a destination with one LID. Adds to
  /// lengths and loads.
  std::uint64_t one_lid(HostId d) {
    const Lid dlid = fabric_.host(d).lid;
    tree_.grow(d, dlid);
    std::ranges::fill(flow_, 0);
    std::uint64_t reachable = 0;
    // From the leaves of the tree to its root: a switch forwards what it has received and what its
    // hosts send.
    for (const SwitchId s : tree_.order() | std::views::reverse) {
      const std::uint32_t length = tree_.distance(s);
      if (length == 0) continue;
      const auto hosts = fabric_.hosts_at(s);
      if (!hosts.empty()) {
        if (drops_.any() && dropped_for_some(s, dlid)) {
          reachable += one_by_one(s, d);
        } else {
          reachable += hosts.size();
          flow_[s] += hosts.size();
          book(1, length, length, length);
        }
      }
      if (flow_[s] == 0) continue;
      load_[tree_.out(s)] += static_cast<double>(flow_[s]);
      flow_[fabric_.target(tree_.out(s))] += flow_[s];
    }
    return reachable;
  }

  bool dropped_for_some(SwitchId s, Lid dlid) const {
    unsigned dropped = drops_.at_hosts() | tree_.dropped_downstream(s);
    for (const HostId h : fabric_.hosts_at(s))
      dropped |= drops_.at(s, fabric_.host(h).port, fabric_.port_of(tree_.out(s)));
    return (dropped >> tables_.sl(s, dlid) & 1u) != 0;
  }

  std::uint64_t several_lids(HostId d) {
    std::uint64_t reachable = 0;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      const auto hosts = fabric_.hosts_at(s);
      if (hosts.empty() || s == fabric_.host(d).at) continue;
      const auto offsets = paths_.find(s, d);
      if (offsets.empty()) {
        if (drops_.any()) reachable += one_by_one(s, d);
        continue;
      }
      reachable += hosts.size();
      const double share = static_cast<double>(hosts.size()) / static_cast<double>(offsets.size());
      std::size_t total = 0, longest = 0;
      for (const unsigned offset : offsets) {
        const auto channels = paths_.channels(offset);
        total += channels.size();
        longest = std::max(longest, channels.size());
        for (const Channel c : channels) load_[c] += share;
      }
      book(static_cast<unsigned>(offsets.size()), total, paths_.channels(offsets[0]).size(),
           longest);
    }
    return reachable;
  }

  /// The number of hosts on a switch that reach a destination, if SL2VL tables may drop the packets
  /// of some hosts.
  std::uint64_t one_by_one(SwitchId s, HostId d) const {
    const Host& host = fabric_.host(d);
    std::uint64_t reachable = 0;
    for (const HostId h : fabric_.hosts_at(s)) {
      bool arrives = false;
      for (unsigned i = 0; i < host.lid_count() && !arrives; ++i)
        arrives = walk(fabric_, tables_, s, fabric_.host(h).port, static_cast<Lid>(host.lid + i))
                      .arrives();
      reachable += arrives;
    }
    return reachable;
  }

  void book(unsigned disjoint, std::size_t total_length, std::size_t shortest,
            std::size_t longest) {
    ++pairs_with_[disjoint];
    total_length_ += total_length;
    shortest_length_ += shortest;
    metrics_.path_length_max = std::max(metrics_.path_length_max, static_cast<unsigned>(longest));
  }

  void summarise() {
    std::uint64_t pairs = 0, paths = 0;
    for (unsigned n = 1; n < pairs_with_.size(); ++n) {
      pairs += pairs_with_[n];
      paths += pairs_with_[n] * n;
    }
    if (pairs != 0) {
      metrics_.path_length_mean = static_cast<double>(total_length_) / static_cast<double>(paths);
      metrics_.shortest_length_mean =
          static_cast<double>(shortest_length_) / static_cast<double>(pairs);
      for (unsigned n = 1; n < pairs_with_.size(); ++n)
        if (pairs_with_[n] != 0)
          metrics_.disjoint[n] = static_cast<double>(pairs_with_[n]) / static_cast<double>(pairs);
    }
    double sum = 0;
    std::size_t channels = 0;
    for (const Channel c : fabric_.links())
      for (const Channel way : {c, fabric_.peer(c)}) {
        sum += load_[way];
        ++channels;
        metrics_.channel_load_max = std::max(metrics_.channel_load_max, load_[way]);
      }
    if (channels != 0) metrics_.channel_load_mean = sum / static_cast<double>(channels);
  }

  const Fabric& fabric_;
  const Tables& tables_;
  DroppedSls drops_;
  PathTree tree_;
  DisjointPaths paths_;
  Metrics metrics_;
  std::vector<double> load_;         // per switch channel: its load
  std::vector<std::uint64_t> flow_;  // per switch: units to the current destination that leave it
  // [n]: the number of pairs with n disjoint paths
  std::array<std::uint64_t, (1u << kMaxLmc) + 1> pairs_with_{};
  std::uint64_t total_length_ = 0, shortest_length_ = 0;
};

}  // namespace

Metrics measure(const Fabric& fabric, const Tables& tables,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return Measurement(fabric, tables).run(progress);
}

}  // namespace selvedge
