// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The results of plugin/tables computed by their definitions, pair by pair and subset by subset.
#pragma once

#include <algorithm>
#include <set>

#include "plugin/tables/metrics.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge::test {

/// The path from a switch, if the packets of each of its hosts arrive.
inline Path path_for_all(const Fabric& f, const Tables& t, SwitchId source, HostId d, Lid lid) {
  Path path = walk(f, t, source, 0, lid);
  const auto hosts = f.hosts_at(source);
  for (const HostId h : hosts)
    if (h != d) {
      path = walk(f, t, source, f.host(h).port, lid);
      if (!path.arrives()) break;
    }
  return path;
}

/// The cables of a path, each as the lower of its channels.
inline std::set<Channel> cables(const Fabric& f, const Path& path) {
  std::set<Channel> all;
  for (const Channel c : path.channels) all.insert(std::min(c, f.peer(c)));
  return all;
}

inline bool disjoint(const Fabric& f, const Path& a, const Path& b) {
  for (const Channel c : cables(f, a))
    if (cables(f, b).contains(c)) return false;
  const std::set<SwitchId> inner(a.switches.begin() + 1, a.switches.end() - 1);
  for (std::size_t i = 1; i + 1 < b.switches.size(); ++i)
    if (inner.contains(b.switches[i])) return false;
  return true;
}

/// disjoint_lids() by trying every subset; for a source switch other than the destination's.
inline std::vector<unsigned> naive_disjoint(const Fabric& f, const Tables& t, SwitchId source,
                                            HostId d) {
  const Host& host = f.host(d);
  if (host.lid == kNoLid || !f.attached(d)) return {};
  const unsigned count = host.lid_count();
  std::vector<Path> paths;
  for (unsigned i = 0; i < count; ++i)
    paths.push_back(path_for_all(f, t, source, d, static_cast<Lid>(host.lid + i)));
  std::vector<unsigned> best;
  std::size_t best_length = 0;
  for (unsigned subset = 1; subset < 1u << count; ++subset) {
    std::vector<unsigned> chosen;
    std::size_t length = 0;
    bool good = true;
    for (unsigned i = 0; i < count && good; ++i) {
      if ((subset >> i & 1u) == 0) continue;
      good = paths[i].arrives();
      for (const unsigned j : chosen) good = good && disjoint(f, paths[i], paths[j]);
      chosen.push_back(i);
      length += paths[i].hops();
    }
    if (!good) continue;
    const bool better = chosen.size() != best.size() ? chosen.size() > best.size()
                        : length != best_length      ? length < best_length
                                                     : chosen < best;
    if (better) {
      best = chosen;
      best_length = length;
    }
  }
  std::ranges::stable_sort(best, {}, [&](unsigned i) { return paths[i].hops(); });
  return best;
}

inline Metrics naive_measure(const Fabric& f, const Tables& t) {
  Metrics m;
  std::uint64_t pairs = 0, paths = 0, total = 0, shortest = 0;
  std::vector<double> load(f.num_channels());
  for (HostId d = 0; d < f.num_hosts(); ++d) {
    const Host& host = f.host(d);
    for (HostId h = 0; h < f.num_hosts(); ++h) {
      if (h == d) continue;
      bool any = false;
      for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i)
        any = any ||
              (f.attached(h) &&
               walk(f, t, f.host(h).at, f.host(h).port, static_cast<Lid>(host.lid + i)).arrives());
      m.unreachable_pairs += !any;
    }
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      if (f.hosts_at(s).empty() || s == host.at) continue;
      const auto offsets = disjoint_lids(f, t, s, d);
      if (offsets.empty()) continue;
      ++pairs;
      ++m.disjoint[static_cast<unsigned>(offsets.size())];
      for (const unsigned offset : offsets) {
        const Path way = path_for_all(f, t, s, d, static_cast<Lid>(host.lid + offset));
        const auto hops = static_cast<unsigned>(way.hops());
        if (offset == offsets[0]) shortest += hops;
        ++paths;
        total += hops;
        m.path_length_max = std::max(m.path_length_max, hops);
        for (const Channel c : way.channels)
          load[c] +=
              static_cast<double>(f.hosts_at(s).size()) / static_cast<double>(offsets.size());
      }
    }
  }
  for (auto& [n, share] : m.disjoint) share /= static_cast<double>(pairs);
  if (pairs != 0) {
    m.path_length_mean = static_cast<double>(total) / static_cast<double>(paths);
    m.shortest_length_mean = static_cast<double>(shortest) / static_cast<double>(pairs);
  }
  std::size_t channels = 0;
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (const Channel c : f.out(s)) {
      ++channels;
      m.channel_load_mean += load[c];
      m.channel_load_max = std::max(m.channel_load_max, load[c]);
    }
  if (channels != 0) m.channel_load_mean /= static_cast<double>(channels);
  return m;
}

}  // namespace selvedge::test
