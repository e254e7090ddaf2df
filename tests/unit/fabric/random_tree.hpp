// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random fat trees like real ones: two to four levels, uneven leaf switches, parallel and missing
// cables, hosts above the leaf switches, small switches for service nodes, a leaf switch without
// hosts; ids, names and ports shuffled. Ambiguous trees are not generated: each switch's level can
// be determined from the cables and hosts.
//
//              S-2-0  S-2-1          level 2
//             ╱  │  ╲╱  │  ╲
//         S-1-0 ══ … S-1-3           level 1; a few hosts here and there
//          ║ ╲╱ ║      │
//        S-0-0 S-0-1  small          level 0: most hosts; small switches hang from any level
//
// The same seed makes the same tree on any machine.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "tests/support/shuffle.hpp"

namespace selvedge::test {

struct RandomTree {
  Fabric fabric;  // with LIDs
  /// Per switch: the level that find_levels() must find.
  std::vector<std::int32_t> level;
  std::vector<SwitchId> small;         // switches for service nodes, ascending
  std::vector<unsigned> switches;      // per level, excluding the small ones
  std::vector<unsigned> usual;         // per stage: cables a pair
  std::vector<unsigned> lower, upper;  // per stage: switches of a block
  unsigned missing_cables = 0;
  std::string text;  // a description of the tree, for messages
};

struct TreeOddities {
  bool uneven = true;
  bool missing = true;
  bool hosts_above = true;
  bool small = true;
  bool idle = true;
  bool shuffle = true;
};

namespace tree_parts {

/// The tree under construction: cables are kept as a count for each pair until the end.
struct Draft {
  std::vector<std::vector<SwitchId>> levels;
  std::vector<std::int32_t> level;                           // per switch
  std::vector<unsigned> hosts;                               // per switch
  std::map<std::pair<SwitchId, SwitchId>, unsigned> cables;  // lower, upper
  std::vector<SwitchId> small;

  SwitchId add(std::int32_t l, unsigned host_count) {
    level.push_back(l);
    hosts.push_back(host_count);
    return static_cast<SwitchId>(level.size() - 1);
  }
};

/// PGFT(h; m; w; p) by the rule of XGFT (generate_tree.cpp): switches of level l (0: leaf switches)
/// have the digits x_(h−1) … x_1, with x_i < w[i] for i ≤ l and x_i < m[i] for i > l.
inline Draft whole_tree(const std::vector<unsigned>& m, const std::vector<unsigned>& w,
                        const std::vector<unsigned>& p, unsigned hosts) {
  const std::size_t h = m.size();
  Draft draft;
  draft.levels.resize(h);
  for (std::size_t l = 0; l < h; ++l) {
    unsigned size = 1;
    for (std::size_t i = 1; i < h; ++i) size *= i <= l ? w[i] : m[i];
    for (unsigned i = 0; i < size; ++i)
      draft.levels[l].push_back(draft.add(static_cast<std::int32_t>(l), l == 0 ? hosts : 0));
  }
  for (std::size_t l = 0; l + 1 < h; ++l) {
    unsigned low_size = 1;
    for (std::size_t i = 1; i <= l; ++i) low_size *= w[i];
    for (unsigned index = 0; index < draft.levels[l].size(); ++index) {
      const unsigned low = index % low_size, high = index / low_size / m[l + 1];
      for (unsigned parent = 0; parent < w[l + 1]; ++parent)
        draft.cables[{draft.levels[l][index],
                      draft.levels[l + 1][(high * w[l + 1] + parent) * low_size + low]}] = p[l];
    }
  }
  return draft;
}

/// Removes cables, but leaves each switch two thirds of its neighbours on either side, and leaves
/// most pairs of a stage complete. Returns how many were removed.
inline unsigned take_cables(Draft& draft, std::size_t stage, unsigned usual, StableRandom& random) {
  std::vector<std::pair<SwitchId, SwitchId>> pairs;
  std::map<SwitchId, unsigned> neighbours, lost;
  for (const auto& [pair, count] : draft.cables)
    if (draft.level[pair.first] == static_cast<std::int32_t>(stage)) {
      pairs.push_back(pair);
      ++neighbours[pair.first], ++neighbours[pair.second];
    }
  random.shuffle(pairs);
  const std::size_t most = pairs.size() / 10 * usual;
  unsigned gone = 0;
  for (std::size_t i = 0; i < pairs.size() / 6 && gone < most; ++i) {
    const auto& [a, b] = pairs[i];

    const bool whole = 3 * (lost[a] + 1) <= neighbours[a] && 3 * (lost[b] + 1) <= neighbours[b];
    const unsigned take = 1 + static_cast<unsigned>(random.below(usual));
    if (take == usual && !whole) continue;
    if (take == usual) ++lost[a], ++lost[b];
    draft.cables[pairs[i]] -= take;
    gone += take;
  }
  return gone;
}

inline RandomTree finish(const Draft& draft, unsigned lmc, bool shuffle, std::uint64_t seed) {
  const auto n = static_cast<SwitchId>(draft.level.size());
  std::vector<unsigned> ports(n, 0);
  for (SwitchId s = 0; s < n; ++s) ports[s] = draft.hosts[s] + 2;  // two stay unused
  for (const auto& [pair, count] : draft.cables)
    ports[pair.first] += count, ports[pair.second] += count;
  FabricBuilder builder;
  for (SwitchId s = 0; s < n; ++s) {
    Switch node;
    node.guid = 0x1000 + s;
    node.name = fmt::format("switch-{}", s);
    node.ports = static_cast<PortNum>(ports[s]);
    builder.add_switch(node);
  }
  std::vector<PortNum> next(n, 1);
  unsigned number = 0;
  for (SwitchId s = 0; s < n; ++s)
    for (unsigned i = 0; i < draft.hosts[s]; ++i, ++number) {
      Host host;
      host.node_guid = 0x200000 + 16 * Guid{number};
      host.guid = host.node_guid + 1;
      host.name = fmt::format("host-{}", number);
      host.at = s;
      host.port = next[s]++;
      builder.add_host(host);
    }
  for (const auto& [pair, count] : draft.cables)
    for (unsigned i = 0; i < count; ++i)
      builder.connect(pair.first, next[pair.first]++, pair.second, next[pair.second]++);
  RandomTree tree;
  Fabric fabric = std::move(builder).build("random tree");
  std::vector<SwitchId> now(n);
  for (SwitchId s = 0; s < n; ++s) now[s] = s;
  if (shuffle) {
    Shuffled mixed = shuffled(fabric, seed);
    fabric = std::move(mixed.fabric);
    now = std::move(mixed.now);
  }
  tree.fabric = assign_lids(fabric, lmc);
  tree.level.resize(n);
  for (SwitchId s = 0; s < n; ++s) tree.level[now[s]] = draft.level[s];
  for (const SwitchId s : draft.small) tree.small.push_back(now[s]);
  std::ranges::sort(tree.small);
  for (const auto& level : draft.levels)
    tree.switches.push_back(static_cast<unsigned>(level.size()));
  return tree;
}

}  // namespace tree_parts

/// At most about 60 switches.
inline RandomTree random_tree(std::uint64_t seed, unsigned lmc = 0, const TreeOddities& odd = {}) {
  using namespace tree_parts;
  StableRandom random(seed);
  const auto from_to = [&](unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random.below(high - low + 1));
  };
  const std::size_t h = from_to(0, 9) < 5 ? 2 : from_to(0, 9) < 7 ? 3 : 4;
  std::vector<unsigned> m(h, 1), w(h, 1), p;
  for (std::size_t i = 1; i < h; ++i) {
    m[i] = h == 2 ? from_to(3, 12) : h == 3 ? from_to(2, 4) : from_to(2, 3);
    w[i] = h == 2 ? from_to(1, 8) : h == 3 ? from_to(1, 4) : from_to(1, 2);
    p.push_back(from_to(0, 9) < 6 ? 1 : from_to(2, 4));
  }
  const unsigned hosts = from_to(1, 12);
  Draft draft = whole_tree(m, w, p, hosts);
  unsigned fewest = hosts;
  if (odd.uneven)
    for (const SwitchId s : draft.levels[0]) {
      draft.hosts[s] = from_to((2 * hosts + 2) / 3, hosts);
      fewest = std::min(fewest, draft.hosts[s]);
    }
  unsigned missing = 0;
  if (odd.missing && random.chance(60))
    for (std::size_t l = 0; l + 1 < h; ++l) missing += take_cables(draft, l, p[l], random);
  // A leaf switch without hosts; the switches above it join other leaf switches too. It must have
  // all its cables, or it would be a small switch. The switches above it must too: otherwise it
  // would reach more leaf switches than each of them, like a switch above them (levels.hpp: three
  // quarters).
  if (odd.idle && m[1] >= 4 && random.chance(20)) {
    const SwitchId idle = draft.levels[0][random.below(draft.levels[0].size())];
    std::set<SwitchId> above;
    for (const auto& [pair, count] : draft.cables)
      if (pair.first == idle) above.insert(pair.second);
    const bool whole = std::ranges::none_of(draft.cables, [&](const auto& cable) {
      return (cable.first.first == idle && cable.second < p[0]) ||
             (above.contains(cable.first.second) && cable.second == 0);
    });
    if (whole) draft.hosts[idle] = 0;
  }
  const unsigned service = fewest > 3 ? (fewest - 1) / 3 : 0;  // less than a third
  if (odd.hosts_above && service > 0 && random.chance(60))
    for (std::size_t l = 1; l < h; ++l)
      for (const SwitchId s : draft.levels[l])
        if (random.chance(40)) draft.hosts[s] = from_to(1, service);
  if (odd.small && service > 0 && random.chance(40))
    for (unsigned i = from_to(1, 2); i > 0; --i) {
      const std::size_t l = from_to(1, static_cast<unsigned>(h - 1));
      // With as many cables as a leaf switch it would count as one.
      if (l == 1 && w[1] < 2 && p[0] < 3) continue;
      const SwitchId above = draft.levels[l][random.below(draft.levels[l].size())];
      const SwitchId s = draft.add(static_cast<std::int32_t>(l) - 1, from_to(1, service));
      draft.cables[{s, above}] = 1;
      draft.small.push_back(s);
    }
  RandomTree tree = finish(draft, lmc, odd.shuffle, seed);
  tree.usual = p;
  tree.lower.assign(m.begin() + 1, m.end());
  tree.upper.assign(w.begin() + 1, w.end());
  tree.missing_cables = missing;
  tree.text = fmt::format(
      "seed {}: m={} w={} p={}, up to {} hosts a leaf, {} cables missing, {} small", seed,
      fmt::join(m, "x"), fmt::join(w, "x"), fmt::join(p, "x"), hosts, missing, draft.small.size());
  return tree;
}

inline void showValue(const RandomTree& tree, std::ostream& out) { out << tree.text; }

inline rc::Gen<RandomTree> any_tree(TreeOddities odd = {}) {
  return rc::gen::map(rc::gen::tuple(rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()),
                                     rc::gen::inRange(0u, 3u)),
                      [odd](const auto& drawn) {
                        return random_tree(std::get<0>(drawn), std::get<1>(drawn), odd);
                      });
}

}  // namespace selvedge::test
