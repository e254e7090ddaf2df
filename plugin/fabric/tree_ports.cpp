// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/tree_ports.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace selvedge::tree {
namespace {

/// A block (tree_form.hpp) is a set of lower and upper switches of adjacent levels, in which every
/// lower switch is cabled to every upper one. A Use maps (neighbour, port) to the number of
/// switches on one side of a block that have the cable to that neighbour, on the other side, at
/// that port.
using Use = std::map<std::pair<SwitchId, PortNum>, unsigned>;

Use count_use(const Fabric& fabric, const std::vector<SwitchId>& side,
              const std::vector<SwitchId>& other) {
  Use use;
  for (const SwitchId s : side)
    for (const Channel c : fabric.out(s))
      if (std::ranges::binary_search(other, fabric.target(c)))
        ++use[{fabric.target(c), fabric.port_of(c)}];
  return use;
}

/// Unused ports of `s` at which most of the `others` (switches of its side that are cabled to `to`)
/// have their cable to `to`.
std::vector<PortNum> usual_ports(const Fabric& fabric, const Use& use, SwitchId s, SwitchId to,
                                 unsigned others, unsigned wanted) {
  std::vector<std::pair<unsigned, PortNum>> votes;
  for (auto it = use.lower_bound({to, 0}); it != use.end() && it->first.first == to; ++it) {
    const PortNum port = it->first.second;
    if (port > fabric.node(s).ports || fabric.peer(fabric.channel(s, port)) != kNoChannel) continue;
    if (2 * it->second > others) votes.emplace_back(it->second, port);
  }
  std::ranges::stable_sort(votes, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (votes.size() < wanted) return {};
  std::vector<PortNum> ports;
  for (unsigned i = 0; i < wanted; ++i) ports.push_back(votes[i].second);
  std::ranges::sort(ports);
  return ports;
}

}  // namespace

void infer_ports(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                 std::vector<TreePair>& missing) {
  for (const TreeBlock& block : stage.blocks) {
    Use up, down;
    for (TreePair& pair : missing) {
      if (!std::ranges::binary_search(block.lower, pair.lower) ||
          !std::ranges::binary_search(block.upper, pair.upper))
        continue;
      if (up.empty()) up = count_use(fabric, block.lower, block.upper);
      if (down.empty()) down = count_use(fabric, block.upper, block.lower);
      const unsigned wanted = pair.usual - pair.cables, own = pair.cables > 0 ? 1 : 0;
      pair.lower_ports =
          usual_ports(fabric, up, pair.lower, pair.upper,
                      static_cast<unsigned>(graph.of(pair.upper).size()) - own, wanted);
      pair.upper_ports =
          usual_ports(fabric, down, pair.upper, pair.lower,
                      static_cast<unsigned>(graph.of(pair.lower).size()) - own, wanted);
    }
  }
}

void find_unused_ports(const Fabric& fabric, const StageGraph& graph, const TreeStage& stage,
                       unsigned level, std::vector<UnusedPortRange>& unused_ports) {
  constexpr std::size_t kFewest = 3;  // switches a block needs to show a rule…
  // …and the share of their cables that must follow it.
  constexpr std::uint64_t kFollow = 4, kFollowOf = 5;
  for (const bool upward : {true, false}) {
    std::array<bool, kMaxSwitchPorts + 1> used{};
    unsigned low = kMaxSwitchPorts, high = 0;
    std::uint64_t follow = 0, all = 0;
    bool enough = true;
    for (const TreeBlock& block : stage.blocks) {
      const auto& side = upward ? block.lower : block.upper;
      enough = enough && side.size() >= kFewest;
      std::map<PortNum, unsigned> most, sum;  // per port: uses for its main neighbour, and for all
      for (const auto& [key, count] : count_use(fabric, side, upward ? block.upper : block.lower)) {
        const PortNum port = key.second;
        most[port] = std::max(most[port], count);
        sum[port] += count;
        low = std::min<unsigned>(low, port);
        high = std::max<unsigned>(high, port);
      }
      for (const auto& [port, count] : sum) follow += most[port], all += count;
    }
    if (!enough || all == 0 || follow * kFollowOf < all * kFollow) continue;
    for (const SwitchId s : upward ? graph.lower() : graph.upper())
      for (unsigned p = 1; p <= fabric.node(s).ports; ++p)
        if (fabric.peer(fabric.channel(s, static_cast<PortNum>(p))) != kNoChannel) used[p] = true;
    UnusedPortRange hole{upward ? level : level + 1, upward, 0, {}};
    for (unsigned p = low; p <= high; ++p)
      if (!used[p]) hole.ports.push_back(static_cast<PortNum>(p));
    hole.switches = static_cast<unsigned>(hole.ports.size()) / stage.usual;
    if (hole.switches > 0) unused_ports.push_back(std::move(hole));
  }
}

}  // namespace selvedge::tree
