// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// neighbour: a host sends to the nearest other switches with hosts, with equal probability. Nearest
// means fewest links away: the adjacent switches of a torus, the leaf switches with a common parent
// in a tree. The i-th host of a switch sends to the i-th host of the chosen switch (modulo the
// number of hosts there).
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {
namespace {

class Neighbour final : public Pattern {
 public:
  explicit Neighbour(const Terminals& terminals) : first_{0} {
    const Fabric& fabric = terminals.fabric();
    std::vector<std::vector<Terminal>> hosts(fabric.num_switches());
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) hosts[s] = terminals.at(s);
    std::vector<std::vector<SwitchId>> near(fabric.num_switches());
    std::vector<SwitchId> seen(fabric.num_switches(), kNoSwitch);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!hosts[s].empty()) near[s] = nearest(fabric, s, hosts, seen);
    for (Terminal e = 0; e < terminals.count(); ++e) {
      const SwitchId s = fabric.host(terminals.host(e)).at;
      std::size_t place = 0;
      while (hosts[s][place] != e) ++place;
      for (const SwitchId t : near[s]) to_.push_back(hosts[t][place % hosts[t].size()]);
      first_.push_back(static_cast<std::uint32_t>(to_.size()));
    }
  }

  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& chance) override {
    const std::uint32_t count = first_[from + 1] - first_[from];
    return count == 0 ? kNoTerminal : to_[first_[from] + chance.below(count)];
  }

 private:
  /// The nearest switches with hosts, found by breadth-first search from `root`. seen[s] is the
  /// root of the last search that reached s.
  static std::vector<SwitchId> nearest(const Fabric& fabric, SwitchId root,
                                       const std::vector<std::vector<Terminal>>& hosts,
                                       std::vector<SwitchId>& seen) {
    std::vector<SwitchId> ring{root}, next, found;
    seen[root] = root;
    while (found.empty() && !ring.empty()) {
      next.clear();
      for (const SwitchId s : ring)
        for (const Channel c : fabric.out(s)) {
          const SwitchId t = fabric.target(c);
          if (seen[t] == root) continue;
          seen[t] = root;
          next.push_back(t);
          if (!hosts[t].empty()) found.push_back(t);
        }
      ring.swap(next);
    }
    return found;
  }

  std::vector<std::uint32_t> first_;  // per terminal: where its destinations begin in to_
  std::vector<Terminal> to_;
};

}  // namespace

std::unique_ptr<Pattern> neighbour(const Terminals& terminals, const TrafficSpec&, std::uint64_t) {
  return std::make_unique<Neighbour>(terminals);
}

}  // namespace selvedge::sim
