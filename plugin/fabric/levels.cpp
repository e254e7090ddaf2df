// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/levels.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "plugin/fabric/union_find.hpp"

namespace selvedge {
namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX;

/// If one child reaches at least 3/4 of the leaf switches that a switch reaches, the switch is not
/// needed to connect them.
constexpr std::uint32_t kMostOf = 3, kMostIn = 4;

class LevelFinder {
 public:
  LevelFinder(const Fabric& fabric, const LevelHints& hints)
      : fabric_(fabric), hints_(hints), n_(fabric.num_switches()), distance_(n_, kUnseen) {
    levels_.level.assign(n_, Levels::kNone);
    count_hosts();
  }

  std::optional<Levels> run(LevelClash& clash) {
    std::vector<bool> met(n_, false);
    for (SwitchId s = 0; s < n_; ++s) {
      if (met[s]) continue;
      collect_piece(s, met);
      if (std::ranges::none_of(piece_, [&](SwitchId x) { return hosts_[x] > 0; })) {
        // There are no compute nodes, only other hosts. Then every host counts, and a switch with a
        // host may be a leaf switch.
        for (const SwitchId x : piece_)
          hosts_[x] = static_cast<std::uint32_t>(fabric_.hosts_at(x).size());
      }
      if (const std::optional<LevelClash> found = find()) {
        clash = *found;
        return std::nullopt;
      }
    }
    return std::move(levels_);
  }

 private:
  void count_hosts() {
    hosts_.assign(n_, 0);
    if (!hints_.compute.empty()) {
      for (const HostId h : hints_.compute)
        if (fabric_.attached(h)) ++hosts_[fabric_.host(h).at];
      return;
    }
    for (SwitchId s = 0; s < n_; ++s)
      hosts_[s] = static_cast<std::uint32_t>(fabric_.hosts_at(s).size());
    for (const HostId h : hints_.not_compute)
      if (fabric_.attached(h)) --hosts_[fabric_.host(h).at];
  }

  void collect_piece(SwitchId first, std::vector<bool>& met) {
    piece_.assign(1, first);
    met[first] = true;
    for (std::size_t next = 0; next < piece_.size(); ++next)
      for (const Channel c : fabric_.out(piece_[next])) {
        const SwitchId y = fabric_.target(c);
        if (met[y]) continue;
        met[y] = true;
        piece_.push_back(y);
      }
  }

  /// Computes the levels of the current component. Returns a clash if it has none.
  std::optional<LevelClash> find() {
    std::vector<SwitchId> roots;
    for (const SwitchId s : hints_.roots)
      if (std::ranges::find(piece_, s) != piece_.end()) roots.push_back(s);
    if (!roots.empty()) return below(roots);

    std::vector<std::uint32_t> bounds;
    for (const SwitchId s : piece_)
      if (hosts_[s] > 0) bounds.push_back(hosts_[s]);
    if (bounds.empty()) return std::nullopt;
    const std::uint32_t first = hints_.compute.empty() ? (median_hosts() + 1) / 2 : 1;
    bounds.push_back(first);
    std::ranges::sort(bounds);
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    std::optional<LevelClash> clash;  // of the lowest bound, which has most leaf switches
    for (const std::uint32_t bound : bounds) {
      if (bound < first) continue;
      leaves_.clear();
      std::uint64_t all = 0, there = 0;
      for (const SwitchId s : piece_) {
        all += hosts_[s];
        if (hosts_[s] < bound) continue;
        there += hosts_[s];
        leaves_.push_back(s);
      }
      if (2 * there < all) break;  // most hosts would not be on leaf switches
      const std::optional<LevelClash> now = measure_distances(leaves_);
      if (!clash) clash = now;
      if (now) continue;
      collect_reach();
      lower();
      return std::nullopt;
    }
    return clash;
  }

  /// The median, over all hosts of the component, of the number of hosts on a host's switch.
  std::uint32_t median_hosts() const {
    std::vector<std::uint32_t> counts;
    std::uint64_t all = 0;
    for (const SwitchId s : piece_) counts.push_back(hosts_[s]), all += hosts_[s];
    std::ranges::sort(counts);
    std::uint64_t passed = 0;
    for (const std::uint32_t count : counts)
      if (passed += count; 2 * passed >= all) return count;
    return 0;
  }

  std::optional<LevelClash> below(const std::vector<SwitchId>& roots) {
    if (std::optional<LevelClash> clash = measure_distances(roots)) {
      clash->from_roots = true;
      clash->from_compute = false;
      return clash;
    }
    // Level 0 is the distance from the roots at which most hosts are.
    std::vector<std::uint64_t> hosts(distance_[order_.back()] + 1, 0);
    for (const SwitchId s : order_) hosts[distance_[s]] += hosts_[s];
    const auto leaf = std::ranges::max_element(hosts) - hosts.begin();
    for (const SwitchId s : order_)
      levels_.level[s] = static_cast<std::int32_t>(leaf) - static_cast<std::int32_t>(distance_[s]);
    return std::nullopt;
  }

  /// Computes the distance of each switch from the nearest of these switches. Sorts the component
  /// by distance into order_. Returns a clash if a cable connects two switches at one distance.
  std::optional<LevelClash> measure_distances(const std::vector<SwitchId>& from) {
    for (const SwitchId s : piece_) distance_[s] = kUnseen;
    order_ = from;
    for (const SwitchId s : from) distance_[s] = 0;
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const SwitchId x = order_[next];
      for (const Channel c : fabric_.out(x)) {
        const SwitchId y = fabric_.target(c);
        if (y == x) continue;
        if (distance_[y] == distance_[x])
          return LevelClash{c, distance_[x], false, !hints_.compute.empty()};
        if (distance_[y] != kUnseen) continue;
        distance_[y] = distance_[x] + 1;
        order_.push_back(y);
      }
    }
    return std::nullopt;
  }

  bool is_child(SwitchId x, Channel c) const { return distance_[fabric_.target(c)] < distance_[x]; }

  /// Computes for each switch how many leaf switches it reaches by going to lower distances
  /// (reached_), and the most that one of its children reaches (by_child_).
  void collect_reach() {
    const std::size_t words = (leaves_.size() + 63) / 64;
    std::vector<std::uint64_t> reach(n_ * words, 0);
    reached_.assign(n_, 0);
    by_child_.assign(n_, 0);
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      reach[leaves_[i] * words + i / 64] |= std::uint64_t{1} << (i % 64);
    for (const SwitchId x : order_) {
      const std::span<std::uint64_t> own(reach.data() + x * words, words);
      for (const Channel c : fabric_.out(x)) {
        if (!is_child(x, c)) continue;
        const SwitchId y = fabric_.target(c);
        by_child_[x] = std::max(by_child_[x], reached_[y]);
        for (std::size_t w = 0; w < words; ++w) own[w] |= reach[y * words + w];
      }
      for (const std::uint64_t word : own)
        reached_[x] += static_cast<std::uint32_t>(std::popcount(word));
    }
  }

  /// Per switch: whether it connects parts that are not connected below it.
  std::vector<bool> find_joining() {
    std::vector<bool> joins(n_, false);
    UnionFind parts(n_);
    for (std::size_t begin = 0; begin < order_.size();) {
      std::size_t end = begin;
      while (end < order_.size() && distance_[order_[end]] == distance_[order_[begin]]) ++end;
      const std::span<const SwitchId> group(order_.data() + begin, end - begin);
      begin = end;
      for (const SwitchId x : group) {
        joins[x] = distance_[x] == 0 ||
                   std::uint64_t{by_child_[x]} * kMostIn < std::uint64_t{reached_[x]} * kMostOf;
        std::uint32_t part = kUnseen;
        for (const Channel c : fabric_.out(x)) {
          if (!is_child(x, c)) continue;
          const std::uint32_t other = parts.root(fabric_.target(c));
          if (part != kUnseen && part != other) joins[x] = true;
          part = other;
        }
      }
      for (const SwitchId x : group)
        for (const Channel c : fabric_.out(x))
          if (is_child(x, c)) parts.unite(x, fabric_.target(c));
    }
    return joins;
  }

  void lower() {
    std::vector<bool> needed = find_joining();
    for (std::size_t i = order_.size(); i-- > 0;)
      for (const Channel c : fabric_.out(order_[i]))
        if (needed[order_[i]] && is_child(order_[i], c)) needed[fabric_.target(c)] = true;
    for (const SwitchId x : order_) {
      std::int32_t& level = levels_.level[x];
      level = static_cast<std::int32_t>(distance_[x]);
      if (needed[x]) continue;
      for (const Channel c : fabric_.out(x))
        if (is_child(x, c)) level = std::min(level, levels_.level[fabric_.target(c)] - 1);
    }
  }

  const Fabric& fabric_;
  const LevelHints& hints_;
  const std::uint32_t n_;
  Levels levels_;
  std::vector<std::uint32_t> hosts_;     // per switch: hosts that count in finding leaf switches
  std::vector<std::uint32_t> distance_;  // per switch: from the nearest leaf switch or root
  std::vector<SwitchId> piece_, order_, leaves_;
  std::vector<std::uint32_t> reached_, by_child_;
};

}  // namespace

std::optional<Levels> find_levels(const Fabric& fabric, const LevelHints& hints,
                                  LevelClash& clash) {
  return LevelFinder(fabric, hints).run(clash);
}

}  // namespace selvedge
