// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/tree_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plugin/fabric/union_find.hpp"

namespace selvedge::tree {
namespace {

/// In a complete block each cable is on many squares (cycles of length 4). A cable counts towards a
/// block if it is on at least 2/5 of these squares. Damage removes some squares, but a cable that
/// connects two blocks is on none.
constexpr std::uint64_t kSquares = 2, kSquaresOf = 5;

/// Two blocks are merged if, of the pairs (switch of one, switch of the other), at most twice as
/// many lack cables as have some. In small blocks, missing cables look like wrongly connected ones,
/// and cables fail more often than they are wrongly connected.
constexpr std::uint64_t kMissingOfCrossed = 2;

void merge(const StageGraph& graph, std::vector<TreeBlock>& blocks, std::uint32_t num_switches) {
  std::vector<std::uint32_t> block_of(num_switches, UINT32_MAX);
  const auto note = [&](std::uint32_t b) {
    for (const SwitchId s : blocks[b].lower) block_of[s] = b;
    for (const SwitchId s : blocks[b].upper) block_of[s] = b;
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b) note(b);
  for (bool merged = true; merged;) {
    merged = false;
    // Number of cabled pairs between two blocks
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> across;
    for (const SwitchId a : graph.lower())
      for (const auto& b : graph.of(a))
        if (block_of[a] != block_of[b.at]) ++across[std::minmax(block_of[a], block_of[b.at])];
    for (const auto& [pair, count] : across) {
      TreeBlock &into = blocks[pair.first], &from = blocks[pair.second];
      const std::uint64_t all = std::uint64_t{into.lower.size()} * from.upper.size() +
                                std::uint64_t{from.lower.size()} * into.upper.size();
      if (all > (kMissingOfCrossed + 1) * count) continue;
      into.lower.insert(into.lower.end(), from.lower.begin(), from.lower.end());
      into.upper.insert(into.upper.end(), from.upper.begin(), from.upper.end());
      from = {};
      note(pair.first);
      merged = true;
      break;
    }
  }
  std::erase_if(blocks, [](const TreeBlock& b) { return b.lower.empty() && b.upper.empty(); });
  for (TreeBlock& block : blocks) {
    std::ranges::sort(block.lower);
    std::ranges::sort(block.upper);
  }
}

}  // namespace

StageGraph::StageGraph(const Fabric& fabric, std::span<const SwitchId> lower,
                       std::span<const SwitchId> upper)
    : lower_(lower), upper_(upper), neighbours_(fabric.num_switches()) {
  std::vector<bool> above(fabric.num_switches(), false);
  for (const SwitchId s : upper) above[s] = true;
  for (const SwitchId s : lower) {
    std::map<SwitchId, unsigned> count;
    for (const Channel c : fabric.out(s))
      if (above[fabric.target(c)]) ++count[fabric.target(c)];
    for (const auto& [t, cables] : count) {
      neighbours_[s].push_back({t, cables});
      neighbours_[t].push_back({s, cables});
    }
  }
}

unsigned StageGraph::cables(SwitchId lower, SwitchId upper) const {
  const auto& row = neighbours_[lower];
  const auto it = std::ranges::lower_bound(row, upper, {}, &Neighbour::at);
  return it != row.end() && it->at == upper ? it->cables : 0;
}

std::vector<TreeBlock> find_blocks(const StageGraph& graph, std::uint32_t num_switches) {
  UnionFind parts(num_switches);
  std::vector<std::uint32_t> common(num_switches, 0);
  for (const SwitchId a : graph.lower()) {
    const auto& up = graph.of(a);
    for (const auto& b : up)
      for (const auto& other : graph.of(b.at)) ++common[other.at];
    for (const auto& b : up) {
      const auto& down = graph.of(b.at);
      const std::uint64_t most = (up.size() - 1) * (down.size() - 1);
      std::uint64_t squares = 0;
      for (const auto& other : down)
        if (other.at != a) squares += common[other.at] - 1;
      if (squares * kSquaresOf >= most * kSquares) parts.unite(a, b.at);
    }
    for (const auto& b : up)
      for (const auto& other : graph.of(b.at)) common[other.at] = 0;
  }

  // A switch that is in no block is put into the block of most of its neighbours.
  std::vector<std::uint32_t> size(num_switches, 0);
  for (const auto level : {graph.lower(), graph.upper()})
    for (const SwitchId s : level) ++size[parts.root(s)];
  for (const auto level : {graph.lower(), graph.upper()})
    for (const SwitchId s : level) {
      if (size[parts.root(s)] > 1 || graph.of(s).empty()) continue;
      std::map<std::uint32_t, unsigned> votes;
      for (const auto& other : graph.of(s)) ++votes[parts.root(other.at)];
      const auto most =
          std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
      const std::uint32_t into = most->first, count = size[into] + 1;
      parts.unite(s, into);
      size[parts.root(s)] = count;
    }

  std::map<std::uint32_t, std::size_t> place;  // root of a block → index of the block
  std::vector<TreeBlock> blocks;
  const auto block_of = [&](SwitchId s) -> TreeBlock& {
    const auto [it, fresh] = place.try_emplace(parts.root(s), blocks.size());
    if (fresh) blocks.emplace_back();
    return blocks[it->second];
  };
  for (const SwitchId s : graph.lower()) block_of(s).lower.push_back(s);
  for (const SwitchId s : graph.upper()) block_of(s).upper.push_back(s);
  merge(graph, blocks, num_switches);
  return blocks;
}

}  // namespace selvedge::tree
