// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/tree_checks.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <vector>

#include "plugin/engines/dmodk/fir_registers.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"

namespace selvedge::sim {
namespace {

struct Tree {
  Fabric fabric;
  Tables tables;
};

Tree make_tree(unsigned k, unsigned n) {
  Tree tree;
  tree.fabric = make_fabric(fmt::format("tree:k={},n={}", k, n));
  tree.tables = find_engine("dmodk").compute(tree.fabric, {}).tables;
  return tree;
}

/// For each channel, the number of paths through it, of those from all hosts to the hosts `first`,
/// `first` + `step`, `first` + 2 · `step`, …
std::vector<std::uint64_t> path_loads(const Tree& tree, HostId first = 0, unsigned step = 1) {
  const Fabric& f = tree.fabric;
  std::vector<std::uint64_t> load(f.num_channels(), 0);
  for (HostId to = first; to < f.num_hosts(); to += step)
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      const std::uint64_t sources = f.hosts_at(s).size();
      for (SwitchId x = s; sources > 0 && x != f.host(to).at;) {
        const Channel c = f.channel(x, tree.tables.next(x, f.host(to).lid));
        load[c] += sources;
        x = f.target(c);
      }
    }
  return load;
}

/// For each switch, the distance in cables to the nearest switch with hosts.
std::vector<unsigned> levels(const Fabric& f) {
  std::vector<unsigned> level(f.num_switches(), UINT32_MAX);
  std::vector<SwitchId> queue;
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    if (!f.hosts_at(s).empty()) {
      level[s] = 0;
      queue.push_back(s);
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : f.out(queue[i]))
      if (level[f.target(c)] == UINT32_MAX) {
        level[f.target(c)] = level[queue[i]] + 1;
        queue.push_back(f.target(c));
      }
  return level;
}

std::uint64_t uneven_stages(unsigned k, unsigned n) {
  const Tree tree = make_tree(k, n);
  const Fabric& f = tree.fabric;
  const std::vector<std::uint64_t> load = path_loads(tree);
  const std::vector<unsigned> level = levels(f);
  // A stage is (the lower level, whether ascending): here are the different loads of its channels.
  std::map<std::pair<unsigned, bool>, std::set<std::uint64_t>> loads;
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (const Channel c : f.out(s)) {
      const bool up = level[f.target(c)] > level[s];
      loads[{up ? level[s] : level[f.target(c)], up}].insert(load[c]);
    }
  std::uint64_t uneven = 0;
  for (const auto& [stage, values] : loads) uneven += values.size() > 1 ? 1 : 0;
  return uneven;
}

/// Counts the pairs (last digit of the destinations' labels, stage) where more or less than one in
/// k ascending links is used.
std::uint64_t unlike_one_in_k(unsigned k, unsigned n) {
  const Tree tree = make_tree(k, n);
  const Fabric& f = tree.fabric;
  const std::vector<unsigned> level = levels(f);
  std::uint64_t unlike = 0;
  for (unsigned digit = 0; digit < k; ++digit) {
    const std::vector<std::uint64_t> load = path_loads(tree, digit, k);
    std::map<unsigned, std::uint64_t> all, used;  // per level
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      for (const Channel c : f.out(s))
        if (level[f.target(c)] > level[s]) {
          ++all[level[s]];
          used[level[s]] += load[c] != 0 ? 1 : 0;
        }
    for (const auto& [stage, links] : all) unlike += used[stage] * k != links ? 1 : 0;
  }
  return unlike;
}

template <class Registers>
std::uint64_t mismatches(unsigned k, unsigned n,
                         RegisterTree<Registers> (*make)(const KaryShape&)) {
  const Tree tree = make_tree(k, n);
  const auto labels = label_k_ary_tree(tree.fabric);
  if (!labels) return 1;
  return compare(make(labels->shape), *labels, tree.fabric, tree.tables) ? 1 : 0;
}

template <class Count>
std::uint64_t over_all(unsigned k_most, unsigned n_most, Count&& count) {
  std::uint64_t sum = 0;
  for (unsigned k = 2; k <= k_most; ++k)
    for (unsigned n = 1; n <= n_most; ++n) sum += count(k, n);
  return sum;
}

}  // namespace

std::span<const TreeCheck> tree_checks() {
  static constexpr std::array<TreeCheck, 4> kAll{{
      {"dmodk-stage-loads", "stages whose links carry different numbers of paths",
       [](unsigned k_most, unsigned n_most) { return over_all(k_most, n_most, uneven_stages); }},
      {"dmodk-one-digit-links",
       "stages where hosts of one last component are not reached by one link up in k",
       [](unsigned k_most, unsigned n_most) { return over_all(k_most, n_most, unlike_one_in_k); }},
      {"fir-registers", "trees where FIR registers and tables forward differently",
       [](unsigned k_most, unsigned n_most) {
         return over_all(k_most, n_most, [](unsigned k, unsigned n) {
           return mismatches<FirRegisters>(k, n, make_fir_registers);
         });
       }},
      {"ir-registers", "trees where the tables' port is none that IR registers allow",
       [](unsigned k_most, unsigned n_most) {
         return over_all(k_most, n_most, [](unsigned k, unsigned n) {
           return mismatches<IrRegisters>(k, n, make_ir_registers);
         });
       }},
  }};
  return kAll;
}

}  // namespace selvedge::sim
